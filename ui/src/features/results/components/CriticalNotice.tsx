import { Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { useProfile } from '../../../api';
import { messages, ResultKind, Role, say } from '../../../contract';
import { orderNoticesQuery } from '../../criticalResults/api';
import type { Order } from '../../orders/api';
import { clinicalResultsQuery, type ClinicalRow } from '../clinical/api';
import { families, listCriticalKinds } from '../families';
import styles from './CriticalNotice.module.css';
import { CriticalProgress } from './CriticalProgress';
import results from './results.module.css';

const formatResult = ({ name, result, unit, flag }: ClinicalRow) =>
  [name, result, unit, flag].filter(Boolean).join(' ');

interface CriticalNoticeProps {
  order: Order;
  hasCritical: boolean;
}

/** Names the critical results above everything else, and whether the client was notified. */
export function CriticalNotice({ order, hasCritical }: CriticalNoticeProps) {
  const { role } = useProfile();
  // A correction may leave an open notice without a critical result.
  const notices = useQuery({
    ...orderNoticesQuery(order.id),
    enabled: role !== Role.PATIENT && order.reported !== null,
  });
  const notice = notices.data?.[0];
  const isOpen = notice?.closedAt === null;
  if (!hasCritical && !isOpen) return null;
  return (
    <Callout
      className={results['notice']}
      intent="danger"
      compact
      role="region"
      aria-label="Critical results"
    >
      <div className={styles['notice']}>
        {hasCritical ? <Criticals order={order} /> : <strong>{messages.CRITICAL_CORRECTED}</strong>}
        {notice === undefined ? null : <CriticalProgress notice={notice} />}
      </div>
    </Callout>
  );
}

function Criticals({ order }: { order: Order }) {
  // The tab of clinical results, which opens first, loads them.
  const clinical = useQuery({ ...clinicalResultsQuery(order.id), enabled: false });
  const rows = (clinical.data ?? []).filter(({ isCritical }) => isCritical);
  // A test of two panels has a row in each, with the same result.
  const criticals = [...new Set(rows.map(formatResult))];
  const elsewhere = listCriticalKinds(order)
    .filter((kind) => kind !== ResultKind.CLINICAL)
    .map((kind) => families[kind].title);
  return (
    <div>
      <strong>{messages.CRITICAL_ATTENTION}</strong>
      {elsewhere.length === 0 ? null : (
        <div>{say(messages.CRITICAL_ELSEWHERE, { families: elsewhere.join(', ') })}</div>
      )}
      {criticals.length === 0 ? null : (
        <ul className={styles['results']}>
          {criticals.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
