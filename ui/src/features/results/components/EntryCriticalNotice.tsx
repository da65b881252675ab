import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';

import { useLiveChanges, usePermissions } from '../../../api';
import { messages } from '../../../contract';
import { orderNoticesQuery, reloadOrderNotices } from '../../criticalResults/api';
import type { EntryHeader } from '../api';
import { CriticalFrame } from './CriticalFrame';
import { CriticalProgress } from './CriticalProgress';

/**
 * The open notice of the order's critical results. A release or a correction may open one; somebody
 * else may record a call in it, or close it.
 */
export function EntryCriticalNotice({ order }: { order: EntryHeader }) {
  const { may } = usePermissions();
  const queries = useQueryClient();
  const isShown = may('tellCriticalResult');
  const notices = useQuery({
    ...orderNoticesQuery(order.orderId, order.version),
    enabled: isShown,
    placeholderData: keepPreviousData,
  });
  useLiveChanges(isShown ? 'order' : null, (change) => {
    if (change === null || change.id === order.orderId) reloadOrderNotices(queries, order.orderId);
  });
  const notice = notices.data?.[0];
  if (notice?.closedAt !== null) return null;
  return (
    <CriticalFrame>
      <strong>{messages.CRITICAL_OPEN}</strong>
      <CriticalProgress notice={notice} />
    </CriticalFrame>
  );
}
