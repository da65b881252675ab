import { Panel } from '../../../components/Panel';
import { messages, say } from '../../../contract';
import { formatInstant } from '../../../lib/instants';
import { formatNumber, formatQuantity } from '../../../lib/quantities';
import { formatBytes, formatSeconds } from '../amounts';
import type { OperationsState } from '../api';
import { Facts, Warning } from './Facts';

const formatTime = (instant: string | null) =>
  instant === null ? 'Never' : formatInstant(instant);

export function PortalPanel({ portal }: Pick<OperationsState, 'portal'>) {
  return (
    <Panel title="Portal">
      <Facts
        facts={[
          ['Version', portal.version],
          ['Schema', portal.revision],
          ['Uptime', formatSeconds(portal.uptimeSeconds)],
        ]}
      />
    </Panel>
  );
}

export function DatabasePanel({ database }: Pick<OperationsState, 'database'>) {
  const lag = database.lagSeconds === null ? 'no lag' : `${formatSeconds(database.lagSeconds)} lag`;
  return (
    <Panel title="Database">
      <Facts
        facts={[
          ['PostgreSQL', database.version],
          ['Size', formatBytes(database.bytes)],
          ['Connections', `${database.connections} of ${database.connectionsMax}`],
          ...database.pools.map(
            ({ name, waits, meanMilliseconds }) =>
              [
                `Wait to ${name}`,
                `${meanMilliseconds.toFixed(1)} ms on average, ${formatQuantity(waits, 'time')}`,
              ] as const,
          ),
          ['Standbys', database.standbys === 0 ? 'None' : `${database.standbys}, ${lag}`],
          ['Changes in the last hour', formatNumber(database.changesLastHour)],
        ]}
      />
    </Panel>
  );
}

export function BackupPanel({ backup }: Pick<OperationsState, 'backup'>) {
  const { at, ageSeconds, version, bytes, files } = backup;
  return (
    <Panel title="Backup">
      {backup.isOverdue ? (
        <Warning>{at === null ? messages.BACKUP_NONE : messages.BACKUP_OVERDUE}</Warning>
      ) : null}
      {at === null ? null : (
        <Facts
          facts={[
            ['Last backup', `${formatTime(at)}, ${formatSeconds(ageSeconds ?? 0)} ago`],
            ['Version', version],
            ['Size', `${formatBytes(bytes ?? 0)}, ${formatQuantity(files ?? 0, 'file')}`],
          ]}
        />
      )}
    </Panel>
  );
}

export function AuditPanel({ audit }: Pick<OperationsState, 'audit'>) {
  const { seal, sealedAt, verifiedAt, trouble } = audit;
  return (
    <Panel title="Audit log">
      {trouble === null ? null : <Warning>{say(messages.AUDIT_BROKEN, { trouble })}</Warning>}
      {audit.isOverdue ? <Warning>{messages.AUDIT_SEALS_OVERDUE}</Warning> : null}
      <Facts
        facts={[
          ['Last seal', seal === null ? 'None' : `${seal}, ${formatTime(sealedAt)}`],
          ['Not sealed yet', formatQuantity(audit.unsealedRows, 'row')],
          [
            'Last verification',
            verifiedAt === null
              ? 'Never'
              : `${formatTime(verifiedAt)}, ${formatQuantity(audit.verifiedRows ?? 0, 'row')}`,
          ],
        ]}
      />
    </Panel>
  );
}
