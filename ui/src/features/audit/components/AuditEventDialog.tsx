import { useQuery } from '@tanstack/react-query';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { limits, messages, say, type Wire } from '../../../contract';
import { formatInstant } from '../../../lib/instants';
import { auditEventQuery, type AuditRow } from '../api';
import { describeRecords } from './auditColumns';
import styles from './audit.module.css';

interface AuditEventDialogProps {
  row: AuditRow;
  onClose: () => void;
}

/** A row of the audit log, with old and new values. */
export function AuditEventDialog({ row, onClose }: AuditEventDialogProps) {
  const event = useQuery(auditEventQuery(row.id));
  return (
    <FormDialog
      isOpen
      title={row.what}
      width={limits.DIALOG_SESSIONS_WIDTH_PX}
      closeLabel="Close"
      onClose={onClose}
    >
      <dl className={styles['facts']}>
        <dt>Time</dt>
        <dd>{formatInstant(row.at)}</dd>
        <dt>Person</dt>
        <dd>{[row.person, row.role].filter(Boolean).join(', ')}</dd>
        <dt>Records</dt>
        <dd>{describeRecords(row) || 'None'}</dd>
        <dt>Outcome</dt>
        <dd>{row.isDenied ? 'Denied' : 'Done'}</dd>
      </dl>
      <Loaded loadState={toLoadState(event)}>{(detail) => <Detail event={detail} />}</Loaded>
    </FormDialog>
  );
}

function Detail({ event }: { event: Wire<'AuditEventRead'> }) {
  const hasChanges = event.detail.some(({ isChange }) => isChange);
  return (
    <>
      {event.detail.length === 0 ? null : (
        <table className={styles['detail']}>
          <thead>
            <tr>
              <th scope="col">Detail</th>
              {hasChanges ? <th scope="col">Before</th> : null}
              <th scope="col">{hasChanges ? 'After' : 'Value'}</th>
            </tr>
          </thead>
          <tbody>
            {event.detail.map(({ name, value, old }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {hasChanges ? <td>{old ?? '–'}</td> : null}
                <td>{value ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="quiet">
        {event.seal === null
          ? messages.AUDIT_NOT_SEALED
          : say(messages.AUDIT_SEALED, {
              seal: String(event.seal),
              at: formatInstant(event.sealedAt ?? ''),
            })}
        {event.requestId === '' ? null : ` Request ${event.requestId}.`}
      </p>
    </>
  );
}
