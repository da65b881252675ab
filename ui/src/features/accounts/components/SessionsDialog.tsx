import { Button } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { focusHome, useLostFocus } from '../../../components/lostFocus';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { limits, messages } from '../../../contract';
import { formatInstant } from '../../../lib/instants';
import {
  endOtherSessions,
  endSession,
  refreshAccount,
  sessionsQuery,
  type OpenSession,
} from '../api';
import styles from './settings.module.css';

/** The user's open sessions. The user can end each of the others, or all of them at once. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const endWrite = useWrite({
    send: (id: string) => endSession(id),
    onDone: () => {
      toasts.success(messages.SESSION_ENDED);
      void refreshAccount(queries);
    },
  });
  const endOthersWrite = useWrite({
    send: () => endOtherSessions(),
    onDone: () => {
      toasts.success(messages.SESSIONS_ENDED);
      void refreshAccount(queries);
    },
  });
  const hasOthers = (sessions.data ?? []).some(({ isCurrent }) => !isCurrent);
  return (
    <FormDialog
      isOpen
      title="Open sessions"
      width={limits.DIALOG_SESSIONS_WIDTH_PX}
      onClose={onClose}
      extra={
        <ActButton
          disabled={!hasOthers}
          isRunning={endOthersWrite.isRunning}
          onClick={() => endOthersWrite.run(null)}
        >
          Sign out all others
        </ActButton>
      }
    >
      <Loaded loadState={toLoadState(sessions)}>
        {(rows) => <SessionTable rows={rows} onEnd={(id) => endWrite.run(id)} />}
      </Loaded>
    </FormDialog>
  );
}

interface SessionTableProps {
  rows: readonly OpenSession[];
  onEnd: (id: string) => void;
}

function SessionTable({ rows, onEnd }: SessionTableProps) {
  const table = useRef<HTMLTableElement>(null);
  // The button of an ended session disappears. Without the focus, the dialog misses Escape.
  useLostFocus(table, false, () => table.current && focusHome(table.current));
  return (
    <table ref={table} className={styles['sessions']} aria-label="Open sessions" tabIndex={-1}>
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">Address</th>
          <th scope="col">Last use</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{row.device}</td>
            <td>{row.address}</td>
            <td>{formatInstant(row.lastUsedAt)}</td>
            <td>
              {row.isCurrent ? (
                <span className="quiet">This session</span>
              ) : (
                <Button
                  size="small"
                  variant="minimal"
                  intent="danger"
                  aria-label={`Sign out ${row.device}, ${row.address}`}
                  onClick={() => onEnd(row.id)}
                >
                  Sign out
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
