import { useQuery } from '@tanstack/react-query';

import { describeError } from '../../../api';
import { ChosenList } from '../../../components/ChosenList';
import { StatusTag, type StatusColor } from '../../../components/StatusTag';
import { formatInstant } from '../../../lib/instants';
import { messages, SendStatus, SendStatusLabels } from '../../../contract';
import { sentQuery, type Recipient } from '../api';
import styles from './sentList.module.css';

const COLORS: Readonly<Record<SendStatus, StatusColor>> = {
  [SendStatus.QUEUED]: 'yellow',
  [SendStatus.SENDING]: 'blue',
  [SendStatus.SENT]: 'green',
  [SendStatus.DELIVERED]: 'green',
  [SendStatus.FAILED]: 'red',
};

/**
 * The forms sent for a requisition, with recipients and status; refreshed while some are in
 * progress.
 */
export function SentList({ requisitionId }: { requisitionId: number }) {
  const sent = useQuery(sentQuery(requisitionId));
  return (
    <ChosenList
      label="Sent"
      items={sent.data ?? []}
      getItemKey={({ id }) => id}
      getItemName={({ destination }) => destination}
      empty={
        sent.isError ? describeError(sent.error) : sent.isPending ? 'Loading…' : messages.SENT_EMPTY
      }
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
      </span>
      <StatusTag color={COLORS[status]}>{SendStatusLabels[status] ?? status}</StatusTag>
      <span className={styles['details']}>
        <span className="quiet">
          {time}, {recipient.sentBy}
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
