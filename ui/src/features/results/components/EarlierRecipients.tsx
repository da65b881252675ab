import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { messages, say } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { formatInstant } from '../../../lib/instants';
import { earlierRecipientsQuery, type EarlierRecipient } from '../../orders/api';
import { SendFormsDialog } from '../../transmissions/components/SendFormsDialog';
import styles from './EarlierRecipients.module.css';

const ACTS: Readonly<Record<string, string>> = {
  read: 'viewed',
  print: 'printed',
  export: 'exported',
  send: 'sent',
};

const getKey = ({ name, role, act, type, at }: EarlierRecipient) =>
  [name, role, act, type, at].join(' ');

/** Lists who got the results before a correction, and offers to send the new ones (DECISIONS). */
export function EarlierRecipients({ orderId }: { orderId: number }) {
  const { data } = useQuery(earlierRecipientsQuery(orderId));
  const [target, setTarget] = useState<EarlierRecipient | 'anybody' | null>(null);
  if (data === undefined || data.correctedAt === null || data.recipients.length === 0) return null;
  const isWaiting = ({ destination, hasCurrent }: EarlierRecipient) =>
    destination !== null && !hasCurrent;
  const recipient = target === 'anybody' ? (data.recipients.find(isWaiting) ?? null) : target;
  return (
    <Callout
      className={styles['notice']}
      intent="warning"
      compact
      role="region"
      aria-label="Corrected results"
    >
      <div className={styles['head']}>
        <span>
          {say(messages.CORRECTION_RECIPIENTS, {
            tests: data.tests.join(', '),
            at: formatTimestamp(data.correctedAt),
          })}
        </span>
        <Button size="small" text="Send Corrected Results" onClick={() => setTarget('anybody')} />
      </div>
      <ul className={styles['list']}>
        {data.recipients.map((row) => (
          <li key={getKey(row)}>
            <span>
              {row.name}
              {row.role === null ? null : <span className="quiet"> ({row.role})</span>}
            </span>
            <span className="quiet">
              {ACTS[row.act] ?? row.act} {formatInstant(row.at)}
            </span>
            <span>
              {row.hasCurrent ? (
                messages.CORRECTION_HAS_CURRENT
              ) : row.destination === null ? (
                messages.CORRECTION_HAS_EARLIER
              ) : (
                <Button
                  size="small"
                  variant="minimal"
                  intent="primary"
                  text="Send Again"
                  aria-label={`Send again to ${row.destination}`}
                  onClick={() => setTarget(row)}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
      {target === null ? null : (
        <SendFormsDialog
          content="results"
          isCorrection
          kind={recipient?.type === 'FAX' ? 'FAX' : 'EMAIL'}
          destination={recipient?.destination ?? null}
          ids={[orderId]}
          onClose={() => setTarget(null)}
        />
      )}
    </Callout>
  );
}
