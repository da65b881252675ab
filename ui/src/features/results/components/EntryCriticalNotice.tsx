import { Callout } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { usePermissions } from '../../../api';
import { messages } from '../../../contract';
import { orderNoticesQuery } from '../../criticalResults/api';
import type { EntryHeader } from '../api';
import styles from './CriticalNotice.module.css';
import { CriticalProgress } from './CriticalProgress';
import results from './results.module.css';

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
    <Callout
      className={results['notice']}
      intent="danger"
      compact
      role="region"
      aria-label="Critical results"
    >
      <div className={styles['notice']}>
        <strong>{messages.CRITICAL_OPEN}</strong>
        <CriticalProgress notice={notice} />
      </div>
    </Callout>
  );
}
