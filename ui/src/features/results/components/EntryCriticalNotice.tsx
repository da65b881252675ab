import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { usePermissions } from '../../../api';
import { messages } from '../../../contract';
import { orderNoticesQuery } from '../../criticalResults/api';
import type { EntryHeader } from '../api';
import { CriticalFrame } from './CriticalFrame';
import { CriticalProgress } from './CriticalProgress';

/** The open notice of the order's critical results. A release may open one, or a correction. */
export function EntryCriticalNotice({ order }: { order: EntryHeader }) {
  const { may } = usePermissions();
  const notices = useQuery({
    ...orderNoticesQuery(order.orderId, order.version),
    enabled: may('tellCriticalResult'),
    placeholderData: keepPreviousData,
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
