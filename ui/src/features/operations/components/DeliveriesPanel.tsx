import { Link } from 'react-router';

import { Panel } from '../../../components/Panel';
import { ScrollTable } from '../../../components/ScrollTable';
import { formatInstant } from '../../../lib/instants';
import { paths } from '../../../lib/paths';
import type { OperationsState } from '../api';
import { Facts } from './Facts';
import styles from './operations.module.css';

const NAMES: Readonly<Record<string, string>> = {
  email: 'E-mail',
  fax: 'Fax',
  support: 'Messages to the lab',
  alerts: 'Alerts about critical results',
  accounts: 'Invitations and new passwords',
};

/** Messages that wait or failed in the last 24 hours, and the state of the senders. */
export function DeliveriesPanel({ deliveries }: Pick<OperationsState, 'deliveries'>) {
  return (
    <Panel title="Deliveries, last 24 hours">
      <ScrollTable
        label="Deliveries"
        headers={['Kind', 'Waiting', 'Next Try', 'Failed', 'Sent']}
        numbers={['Waiting', 'Failed', 'Sent']}
      >
        {deliveries.kinds.map(({ kind, waiting, nextTryAt, failed, sent }) => (
          <tr key={kind}>
            <th scope="row">
              {kind === 'alerts' ? (
                <Link to={paths.criticalResults}>{NAMES[kind]}</Link>
              ) : (
                (NAMES[kind] ?? kind)
              )}
            </th>
            <td data-type="number">{waiting}</td>
            <td>{nextTryAt !== null && formatInstant(nextTryAt)}</td>
            <td data-type="number" className={failed > 0 ? styles['warning'] : undefined}>
              {failed}
            </td>
            <td data-type="number">{sent}</td>
          </tr>
        ))}
      </ScrollTable>
      <Facts
        facts={deliveries.senders.map(({ name, isConfigured, lastSuccess, lastFailure }) => [
          NAMES[name] ?? name,
          isConfigured
            ? `Last success ${formatOrNever(lastSuccess)}, last failure ${formatOrNever(lastFailure)}`
            : 'Not configured',
        ])}
      />
    </Panel>
  );
}

const formatOrNever = (instant: string | null) =>
  instant === null ? 'never' : formatInstant(instant);
