import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useProfile } from '../../../api';
import { messages, Role } from '../../../contract';
import { orderNoticesQuery } from '../../criticalResults/api';
import { CriticalResultDialog } from '../../criticalResults/components/CriticalResultDialog';
import { ProgressTag } from '../../criticalResults/components/criticalColumns';
import type { Order } from '../../orders/api';
import { clinicalResultsQuery, type ClinicalRow } from '../clinical/api';
import styles from './CriticalNotice.module.css';

const formatResult = ({ name, result, unit, flag }: ClinicalRow) =>
  [name, result, unit, flag].filter(Boolean).join(' ');

/** Names the critical results above everything else, and how far telling the client is. */
export function CriticalNotice({ order }: { order: Order }) {
  const { role } = useProfile();
  // The tab of clinical results, which opens first, loads them.
  const results = useQuery({ ...clinicalResultsQuery(order.id), enabled: false });
  const criticals = (results.data ?? []).filter(({ isCritical }) => isCritical);
  return (
    <Callout
      className={styles['callout']}
      intent="danger"
      compact
      role="region"
      aria-label="Critical results"
    >
      <div className={styles['notice']}>
        <div>
          <strong>{messages.CRITICAL_ATTENTION}</strong>
          {criticals.length === 0 ? null : (
            <ul className={styles['results']}>
              {criticals.map((row) => (
                <li key={row.key}>{formatResult(row)}</li>
              ))}
            </ul>
          )}
        </div>
        {role === Role.PATIENT ? null : <Progress orderId={order.id} />}
      </div>
    </Callout>
  );
}

function Progress({ orderId }: { orderId: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const notice = useQuery(orderNoticesQuery(orderId)).data?.[0];
  if (notice === undefined) return null;
  return (
    <div className={styles['progress']}>
      <ProgressTag row={notice} />
      <Button size="small" text="Show Calls" onClick={() => setIsOpen(true)} />
      {isOpen ? <CriticalResultDialog id={notice.id} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}
