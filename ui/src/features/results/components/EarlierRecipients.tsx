import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { limits, messages, say, SendStatus, Withholding } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { formatInstant } from '../../../lib/instants';
import { earlierRecipientsQuery, type EarlierRecipient } from '../../orders/api';
import type { SendKind } from '../../transmissions/api';
import { SendFormsDialog } from '../../transmissions/components/SendFormsDialog';
import styles from './EarlierRecipients.module.css';
import results from './results.module.css';

const ACTS: Readonly<Record<string, string>> = {
  read: 'viewed',
  print: 'printed',
  export: 'exported',
  send: 'sent',
  'may-receive': 'may have received',
};

/** What is said about current results that are not sent yet. */
const WAITING: Readonly<Record<string, string>> = {
  [SendStatus.QUEUED]: messages.CORRECTION_QUEUED,
  [SendStatus.SENDING]: messages.CORRECTION_SENDING,
};

interface Target {
  kind: SendKind;
  destination: string | null;
}

const toKind = ({ type }: EarlierRecipient): SendKind => (type === 'FAX' ? 'FAX' : 'EMAIL');

const getKey = ({ name, role, act, type, at }: EarlierRecipient) =>
  [name, role, act, type, at].join(' ');

interface EarlierRecipientsProps {
  orderId: number;
  /** Whether the order has released results to send. */
  canSend: boolean;
}

/** Returns the sentence above the list, by what happened to the results. */
function chooseWords(withholding: Withholding | null) {
  if (withholding === null) return messages.CORRECTION_RECIPIENTS;
  return withholding === Withholding.REVIEW
    ? messages.REVIEW_RECIPIENTS
    : messages.WITHDRAWAL_RECIPIENTS;
}

/**
 * Lists who received the results before a correction or a withdrawal, and offers to send the new
 * ones (DECISIONS).
 */
export function EarlierRecipients({ orderId, canSend }: EarlierRecipientsProps) {
  const { data } = useQuery({
    ...earlierRecipientsQuery(orderId),
    refetchInterval: ({ state }) =>
      state.data?.recipients.some(({ currentStatus }) => currentStatus !== null)
        ? limits.SENT_REFRESH_MS
        : false,
  });
  const [target, setTarget] = useState<Target | null>(null);
  if (data === undefined || data.correctedAt === null || data.recipients.length === 0) return null;
  const content = data.withheld === null ? 'Corrected Results' : 'Current Results';
  /** Proposes a recipient of this kind who lacks the current results, if there is one. */
  const chooseTarget = (kind: SendKind): Target => {
    const uninformedRecipient = data.recipients.find(
      (row) =>
        row.destination !== null &&
        !row.hasCurrent &&
        row.currentStatus === null &&
        toKind(row) === kind,
    );
    return { kind, destination: uninformedRecipient?.destination ?? null };
  };
  return (
    <Callout
      className={results['notice']}
      intent="warning"
      compact
      role="region"
      aria-label={data.withheld === null ? 'Corrected results' : 'Withheld results'}
    >
      <div className={styles['head']}>
        <span>
          {say(chooseWords(data.withheld), {
            tests: data.tests.join(', '),
            at: formatTimestamp(data.correctedAt),
          })}
        </span>
        {canSend ? (
          <span className={styles['actions']}>
            <Button
              size="small"
              text={`Email ${content}`}
              onClick={() => setTarget(chooseTarget('EMAIL'))}
            />
            <Button
              size="small"
              text={`Fax ${content}`}
              onClick={() => setTarget(chooseTarget('FAX'))}
            />
          </span>
        ) : null}
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
              ) : row.currentStatus !== null ? (
                WAITING[row.currentStatus]
              ) : row.destination === null || !canSend ? (
                messages.CORRECTION_HAS_EARLIER
              ) : (
                <Button
                  size="small"
                  variant="minimal"
                  intent="primary"
                  text="Send Again"
                  aria-label={`Send again to ${row.destination}`}
                  onClick={() => setTarget({ kind: toKind(row), destination: row.destination })}
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
          kind={target.kind}
          destination={target.destination}
          ids={[orderId]}
          onClose={() => setTarget(null)}
        />
      )}
    </Callout>
  );
}
