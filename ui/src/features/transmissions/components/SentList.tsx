import { useQuery } from '@tanstack/react-query';

import { describeError } from '../../../api';
import { ChosenList } from '../../../components/ChosenList';
import { StatusTag, type StatusColor } from '../../../components/StatusTag';
import { formatInstant } from '../../../lib/instants';
import { messages, SendStatus, SendStatusLabels } from '../../../contract';
import { sentQuery, type Content, type Recipient } from '../api';
import styles from './sentList.module.css';

const COLORS: Readonly<Record<SendStatus, StatusColor>> = {
  [SendStatus.QUEUED]: 'yellow',
  [SendStatus.SENDING]: 'blue',
  [SendStatus.SENT]: 'green',
  [SendStatus.DELIVERED]: 'green',
  [SendStatus.FAILED]: 'red',
};

/**
 * Lists to whom the forms of a requisition or the results of an order are sent, with the status of
 * each; refreshed while one is in progress.
 */
export function SentList({ content = 'forms', id }: { content?: Content; id: number }) {
  const recipients = useQuery(sentQuery(content, id));
  const emptyText = recipients.isPending ? 'Loading…' : messages.SENT_EMPTY;
  return (
    <ChosenList
      label="Sent"
      items={recipients.data ?? []}
      getItemKey={({ id }) => id}
      getItemName={({ destination }) => destination}
      empty={recipients.isError ? describeError(recipients.error) : emptyText}
      render={(recipient) => <Line recipient={recipient} />}
    />
  );
}

function Line({ recipient }: { recipient: Recipient }) {
  const { deliveredAt, sentAt, createdAt, lastError, status, nextTryAt } = recipient;
  const time = formatInstant(deliveredAt ?? sentAt ?? createdAt);
  return (
    <div className={styles['line']}>
      <span className={styles['recipient']}>
        <span className="quiet">{recipient.type === 'FAX' ? 'Fax' : 'Email'}</span>{' '}
        {recipient.destination}
        {recipient.subject === 'correctedResults' ? (
          <span className="quiet"> (corrected results)</span>
        ) : null}
      </span>
      <StatusTag color={COLORS[status]}>{SendStatusLabels[status] ?? status}</StatusTag>
      <span className={styles['details']}>
        <span className="quiet">{[time, recipient.sentBy].filter(Boolean).join(', ')}</span>
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
