import { Tag, type Intent } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { Panel } from '../../../components/Panel';
import { messages } from '../../../contract';
import { formatInstant } from '../../../lib/instants';
import { formatQuantity } from '../../../lib/quantities';
import { ownRequestsQuery, type SupportRequest } from '../api';
import styles from './support.module.css';

const STATUSES: Record<SupportRequest['status'], { label: string; intent: Intent }> = {
  waiting: { label: 'Waiting', intent: 'warning' },
  sent: { label: 'Sent', intent: 'success' },
  failed: { label: 'Failed', intent: 'danger' },
};

const describe = ({ kind, supplies }: SupportRequest): string => {
  if (kind === 'contact') return 'Message';
  return `Supply request, ${formatQuantity(supplies, 'supply', 'supplies')}`;
};

/** What the user has written to the lab, and whether it was sent. */
export function MyRequests() {
  const requests = useQuery(ownRequestsQuery);
  if (requests.data === undefined) return null;
  return (
    <Panel title="My requests">
      {requests.data.length === 0 ? (
        <span className="quiet">{messages.SUPPORT_REQUESTS_NONE}</span>
      ) : (
        <ul className={styles['requests']} aria-label="My requests">
          {requests.data.map((request) => (
            <li key={request.id}>
              <Tag minimal intent={STATUSES[request.status].intent}>
                {STATUSES[request.status].label}
              </Tag>
              <span>
                No. {request.id}: {describe(request)}
                {request.reason === null ? null : (
                  <span className="quiet"> – {request.reason}</span>
                )}
              </span>
              <span className="quiet">{formatInstant(request.createdAt)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
