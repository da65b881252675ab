import { useQuery } from '@tanstack/react-query';

import { usePermissions } from '../../../api';
import { messages, ResultKind, say } from '../../../contract';
import { orderNoticesQuery } from '../../criticalResults/api';
import type { Order } from '../../orders/api';
import { families, listCriticalKinds } from '../families';
import { CriticalFrame } from './CriticalFrame';
import { useCriticalNames } from '../useCriticalNames';
import styles from './CriticalNotice.module.css';
import { CriticalProgress } from './CriticalProgress';

interface CriticalNoticeProps {
  order: Order;
  hasCritical: boolean;
}

/** Names the critical results above everything else, and whether the client was notified. */
export function CriticalNotice({ order, hasCritical }: CriticalNoticeProps) {
  const { may } = usePermissions();
  // A correction may leave an open notice without a critical result.
  const notices = useQuery({
    ...orderNoticesQuery(order.id),
    enabled: may('openCriticalResults') && order.reported !== null,
  });
  const notice = notices.data?.[0];
  const isOpen = notice?.closedAt === null;
  if (!hasCritical && !isOpen) return null;
  return (
    <CriticalFrame>
      {hasCritical ? (
        <Criticals order={order} />
      ) : (
        <strong>
          {may('tellCriticalResult')
            ? messages.CRITICAL_CORRECTED
            : messages.CRITICAL_CORRECTED_CLIENT}
        </strong>
      )}
      {notice === undefined ? null : <CriticalProgress notice={notice} />}
    </CriticalFrame>
  );
}

function Criticals({ order }: { order: Order }) {
  const names = useCriticalNames(order);
  const elsewhere = listCriticalKinds(order)
    .filter((kind) => kind !== ResultKind.CLINICAL)
    .map((kind) => families[kind].title);
  return (
    <div>
      <strong>{messages.CRITICAL_ATTENTION}</strong>
      {names.length === 0 ? null : (
        <ul className={styles['results']}>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      {elsewhere.length === 0 ? null : (
        <div>{say(messages.CRITICAL_ELSEWHERE, { families: elsewhere.join(', ') })}</div>
      )}
    </div>
  );
}
