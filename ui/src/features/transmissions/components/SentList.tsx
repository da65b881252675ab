import { useQuery } from '@tanstack/react-query';

import { describe } from '../../../api';
import { ChosenList } from '../../../components/ChosenList';
import { StatusTag, type StatusColour } from '../../../components/StatusTag';
import { formatInstant } from '../../../lib/instants';
import { messages, SendStatus, SendStatusLabels } from '../../../contract';
import { sentQuery, type Recipient } from '../api';
import styles from './sentList.module.css';

const COLOURS: Readonly<Record<SendStatus, StatusColour>> = {
  [SendStatus.QUEUED]: 'yellow',
  [SendStatus.SENDING]: 'blue',
  [SendStatus.SENT]: 'green',
  [SendStatus.DELIVERED]: 'green',
  [SendStatus.FAILED]: 'red',
};

/** What was sent of a requisition, to whom, and what became of it; asked again while something
 * is under way. */
export function SentList({ requisitionId }: { requisitionId: number }) {
  const sent = useQuery(sentQuery(requisitionId));
  return (
    <ChosenList
      label="Sent"
      items={sent.data ?? []}
      itemKey={({ id }) => id}
      itemName={({ destination }) => destination}
      empty={
        sent.isError ? describe(sent.error) : sent.isPending ? 'Loading…' : messages.SENT_EMPTY
      }
      render={(recipient) => <Line recipient={recipient} />}
    />
  );
}

function Line({ recipient }: { recipient: Recipient }) {
  const { deliveredAt, sentAt, createdAt, lastError, status, nextTryAt } = recipient;
  const when = formatInstant(deliveredAt ?? sentAt ?? createdAt);
  return (
    <div className={styles['line']}>
      <span className={styles['whom']}>
        <span className="quiet">{recipient.type === 'FAX' ? 'Fax' : 'Email'}</span>{' '}
        {recipient.destination}
      </span>
      <StatusTag colour={COLOURS[status]}>{SendStatusLabels[status] ?? status}</StatusTag>
      <span className={styles['when']}>
        <span className="quiet">
          {when}, {recipient.sentBy}
        </span>
        {lastError ? (
          <>
            <br />
            {lastError}
            {nextTryAt ? (
              <span className="quiet">. Next try {formatInstant(nextTryAt)}</span>
            ) : null}
          </>
        ) : null}
      </span>
    </div>
  );
}
