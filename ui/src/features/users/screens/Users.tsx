import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { usePermissions } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { ToggleChip } from '../../../components/filters/FilterChip';
import { DataGrid } from '../../../components/grid/DataGrid';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import {
  EditIcon,
  EnvelopeIcon,
  ImportIcon,
  NewPersonIcon,
  TrashIcon,
} from '../../../components/icons';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { toasts } from '../../../components/toasts';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { useRememberedState } from '../../../components/useRememberedState';
import { useScreen } from '../../../components/useMedia';
import { useWrite } from '../../../components/useWrite';
import { messages, say } from '../../../contract';
import {
  applicationQuery,
  deleteUser,
  inviteUser,
  LIST_PATH,
  loadUsers,
  type UserRow,
} from '../api';
import { buildUserColumns, type UserActs } from '../components/userColumns';
import { ImportDialog } from '../components/ImportDialog';
import { UserDialog } from '../components/UserDialog';

const BY_NAME = [
  { column: 'lastName', descending: false },
  { column: 'firstName', descending: false },
];
const ALL = {};
const ACTIVE = { active: 'true' };

/** The users of the portal; for a Client Admin, those of their clients (P 2). */
export default function Users() {
  const { judge } = usePermissions();
  const isWide = useScreen() === 'desktop';
  /** The id of the user in the form; null for a new one, undefined for none. */
  const [editedId, setEditedId] = useState<string | null | undefined>(undefined);
  const [userToDelete, setUserToDelete] = useState<UserRow | null>(null);
  const [isImporting, setIsImporting] = useState(false);
  // Physicians who never got an account would fill the first pages.
  const [showsInactive, setShowsInactive] = useRememberedState('users-inactive', () => false);
  const application = useQuery(applicationQuery);
  const grid = useGrid<UserRow>({
    name: 'users',
    path: LIST_PATH,
    filters: showsInactive ? ALL : ACTIVE,
    defaultSort: BY_NAME,
    getRowId: (row) => row.number,
    load: loadUsers,
    memory: useHistoryMemory<SavedGrid>('users-grid'),
  });
  const deleteWrite = useWrite({
    send: deleteUser,
    onDone: () => grid.refresh(),
    onStale: () => grid.refresh(),
  });
  const inviteWrite = useWrite({
    send: inviteUser,
    onDone: (_user, { email }: UserRow) =>
      toasts.success(say(messages.USER_NOTIFIED_AGAIN, { email })),
    onStale: () => grid.refresh(),
  });
  const acts: UserActs = {
    judge,
    edit: (row) => setEditedId(row.id),
    remove: setUserToDelete,
    invite: (row) => inviteWrite.run(row),
  };
  const roles = (application.data?.roles ?? []).map((role) => ({ value: role, label: role }));
  const columns = useMemo(
    () => buildUserColumns(roles, isWide ? acts : null),
    // The acts call functions that stay the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [application.data, isWide],
  );
  const actions: PageAction[] = [
    {
      label: 'Add',
      icon: <NewPersonIcon />,
      intent: 'primary',
      onClick: () => setEditedId(null),
      isAlwaysShown: true,
    },
    { label: 'Import', icon: <ImportIcon />, onClick: () => setIsImporting(true) },
    ...(isWide ? [] : buildRowActions(grid.selectedRows, acts)),
  ];
  return (
    <>
      <PageToolbar title="Users" actions={actions}>
        <ToggleChip label="Show inactive" checked={showsInactive} onChange={setShowsInactive} />
      </PageToolbar>
      <div className="grid-place">
        <DataGrid
          label="Users"
          grid={grid}
          columns={columns}
          selectable
          onOpen={acts.edit}
          emptyText="No users match"
        />
      </div>
      {editedId === undefined ? null : (
        <UserDialog
          id={editedId}
          onClose={() => setEditedId(undefined)}
          onSaved={() => grid.refresh()}
        />
      )}
      {isImporting ? (
        <ImportDialog onClose={() => setIsImporting(false)} onImported={() => grid.refresh()} />
      ) : null}
      <ConfirmDialog
        isOpen={userToDelete !== null}
        title="Delete User"
        message={
          <>
            <p>{messages.USER_DELETION}</p>
            <p>
              {userToDelete === null
                ? ''
                : `${userToDelete.lastName}, ${userToDelete.firstName} · ${userToDelete.email}`}
            </p>
          </>
        }
        confirmLabel="Delete"
        intent="danger"
        onConfirm={() => {
          if (userToDelete !== null) deleteWrite.run(userToDelete);
          setUserToDelete(null);
        }}
        onClose={() => setUserToDelete(null)}
      />
    </>
  );
}

/** The actions of the selected row on phones and tablets (P 2). */
function buildRowActions(rows: readonly UserRow[], acts: UserActs): PageAction[] {
  const row = rows.length === 1 ? rows[0] : undefined;
  const build = (
    label: string,
    icon: PageAction['icon'],
    act: Parameters<UserActs['judge']>[0],
    run: (row: UserRow) => void,
  ): PageAction => {
    const permission = row === undefined ? null : acts.judge(act, row);
    return {
      label,
      icon,
      disabled: permission?.allowed !== true,
      reason: permission === null ? 'Select one user first' : (permission.reason ?? undefined),
      onClick: () => {
        if (row !== undefined) run(row);
      },
    };
  };
  return [
    build('Edit', <EditIcon />, 'changeUser', acts.edit),
    build('Delete', <TrashIcon />, 'deleteUser', acts.remove),
    build('Resend', <EnvelopeIcon />, 'inviteUser', acts.invite),
  ];
}
