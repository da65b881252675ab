import { Button, ProgressBar } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

import { describeError } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { CrossIcon, DownloadIcon, TrashIcon } from '../../../components/icons';
import { useLostFocus } from '../../../components/lostFocus';
import { focusTitle } from '../../../components/lostFocus';
import { StatusTag, type StatusColor } from '../../../components/StatusTag';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { ExportState, messages, say } from '../../../contract';
import { useDevice } from '../../../device';
import { formatInstant } from '../../../lib/instants';
import { clientsByIdQuery } from '../../clients/api';
import {
  cancelExport,
  describeDownloadError,
  exportsQuery,
  isUnfinished,
  refreshExports,
  removeExport,
  restoreExport,
  toExportFile,
  type ExportRow,
} from '../api';
import { describeExport, listClientIds, NAMES_MAX } from '../filters';
import { formatNumber, formatQuantity } from '../../../lib/quantities';
import { formatSize } from '../fileSize';
import styles from './exports.module.css';

const STATES: Readonly<Record<ExportState, { color: StatusColor; label: string }>> = {
  [ExportState.QUEUED]: { color: 'gray', label: 'WAITING' },
  [ExportState.RUNNING]: { color: 'blue', label: 'RUNNING' },
  [ExportState.DONE]: { color: 'green', label: 'DONE' },
  [ExportState.FAILED]: { color: 'red', label: 'FAILED' },
  [ExportState.CANCELED]: { color: 'black', label: 'CANCELED' },
};

/** The user's exports with their progress, newest first. */
export function ExportList() {
  const exports = useQuery(exportsQuery);
  const list = useRef<HTMLUListElement>(null);
  // Canceling and deleting remove their own buttons: the focus moves within the export, or to the
  // one that took its place.
  useLostFocus(list, false, (last) => {
    const items = [...(list.current?.children ?? [])];
    const item = last?.item.isConnected ? last.item : (items[last?.index ?? 0] ?? items.at(-1));
    const button = item?.querySelector('button');
    if (button) button.focus();
    else focusTitle();
  });
  if (exports.data === undefined) {
    return (
      <div className="quiet" role="status">
        {exports.isError ? describeError(exports.error) : 'Loading…'}
      </div>
    );
  }
  if (exports.data.length === 0) return <div className="quiet">{messages.EXPORT_NONE}</div>;
  return (
    <ul ref={list} className={styles['exports']} aria-label="Exports">
      {exports.data.map((row) => (
        <ExportItem key={row.id} row={row} />
      ))}
    </ul>
  );
}

function ExportItem({ row }: { row: ExportRow }) {
  const queries = useQueryClient();
  const device = useDevice();
  const reload = () => refreshExports(queries);
  const restoreWrite = useWrite({ send: restoreExport, onDone: reload });
  const removeWrite = useWrite({
    send: removeExport,
    onDone: () => {
      toasts.undo(messages.EXPORT_REMOVED, () => restoreWrite.run(row.id));
      reload();
    },
  });
  const cancelWrite = useWrite({
    send: cancelExport,
    onDone: () => {
      toasts.success(messages.EXPORT_CANCELED);
      reload();
    },
    explain: () => {
      reload();
      return false;
    },
  });
  const download = () => {
    device.openDocument(toExportFile(row)).catch((error: unknown) => {
      toasts.failure(error, describeDownloadError);
      reload();
    });
  };
  const { color, label } = STATES[row.state];
  return (
    <li className={styles['export']}>
      <div className={styles['exportHead']}>
        <span className={styles['name']}>{row.name}</span>
        {row.isExpired ? (
          <StatusTag color="gray">EXPIRED</StatusTag>
        ) : (
          <StatusTag color={color}>{label}</StatusTag>
        )}
      </div>
      <ExportFilterWords row={row} />
      <ExportFacts row={row} />
      <div className={styles['exportActions']}>
        {row.canDownload.allowed ? (
          <Button
            size="small"
            intent="primary"
            icon={<DownloadIcon />}
            aria-label={`Download ${row.name}`}
            onClick={download}
          >
            Download
          </Button>
        ) : null}
        {row.canCancel.allowed ? (
          <ActButton
            size="small"
            variant="outlined"
            icon={<CrossIcon />}
            isRunning={cancelWrite.isRunning}
            aria-label={`Cancel ${row.name}`}
            onClick={() => cancelWrite.run(row.id)}
          >
            Cancel
          </ActButton>
        ) : null}
        {row.canRemove.allowed ? (
          <ActButton
            size="small"
            variant="minimal"
            icon={<TrashIcon />}
            isRunning={removeWrite.isRunning}
            aria-label={`Delete ${row.name}`}
            onClick={() => removeWrite.run(row.id)}
          >
            Delete
          </ActButton>
        ) : null}
      </div>
    </li>
  );
}

/** The content that an export was requested for, in words. */
function ExportFilterWords({ row }: { row: ExportRow }) {
  const ids = listClientIds(row).slice(0, NAMES_MAX);
  const clients = useQuery({ ...clientsByIdQuery(ids), enabled: ids.length > 0 });
  const names = clients.data?.map(({ name }) => name) ?? [];
  return <div className={styles['filters']}>{describeExport(row, names)}</div>;
}

/** The content and progress of an export, or why it has no file. */
function ExportFacts({ row }: { row: ExportRow }) {
  if (isUnfinished(row)) return <ExportProgress row={row} />;
  const facts = [formatInstant(row.createdAt)];
  if (row.state === ExportState.DONE) {
    facts.push(formatQuantity(row.rowsWritten, 'row'));
    if (row.size !== null) facts.push(formatSize(row.size));
    if (!row.isExpired && row.expiresAt !== null) {
      const date = formatInstant(row.expiresAt).slice(0, 10);
      facts.push(say(messages.EXPORT_KEPT_UNTIL, { date }));
    }
  }
  const reason = row.trouble ?? (row.state === ExportState.DONE ? row.canDownload.reason : null);
  return (
    <>
      <div className="quiet">{facts.join(' · ')}</div>
      {reason === null ? null : <div className={styles['trouble']}>{reason}</div>}
    </>
  );
}

function ExportProgress({ row }: { row: ExportRow }) {
  const { state, rowsExpected: expectedRows, rowsWritten: writtenRows } = row;
  const isQueued = state === ExportState.QUEUED;
  const isCounted = state === ExportState.RUNNING && expectedRows !== null;
  // While the share is unknown, the bar only shows that work is going on.
  const share = isCounted ? writtenRows / Math.max(expectedRows, 1) : undefined;
  const waitingText = isQueued ? messages.EXPORT_WAITING : messages.EXPORT_COUNTING;
  const text = isCounted
    ? say(messages.EXPORT_PROGRESS, {
        written: formatNumber(writtenRows),
        expected: formatQuantity(expectedRows, 'row'),
      })
    : waitingText;
  return (
    <>
      <div className="quiet" role="status">
        {text}
      </div>
      <div
        role="progressbar"
        aria-label={`Progress of ${row.name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === undefined ? undefined : Math.round(share * 100)}
      >
        <ProgressBar intent="primary" aria-hidden value={isQueued ? 0 : share} />
      </div>
    </>
  );
}
