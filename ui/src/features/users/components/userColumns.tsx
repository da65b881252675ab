import { ActButton } from '../../../components/ActButton';
import type { FilterChoice, GridColumn } from '../../../components/grid/types';
import { EditIcon, EnvelopeIcon, TrashIcon } from '../../../components/icons';
import type { Wire } from '../../../contract';
import { formatLongInstant } from '../../../lib/instants';
import type { UserRow } from '../api';
import styles from './users.module.css';

export interface UserActs {
  judge: (act: 'changeUser' | 'deleteUser' | 'inviteUser', row: UserRow) => Wire<'Permission'>;
  edit: (row: UserRow) => void;
  remove: (row: UserRow) => void;
  invite: (row: UserRow) => void;
}

/** 'Never' before the first sign-in (P 2). */
const formatLogin = ({ lastLoginInstant }: UserRow): string =>
  lastLoginInstant === null ? 'Never' : formatLongInstant(lastLoginInstant);

/** The columns of the users; on wide screens with the actions of each row (P 2). */
export function buildUserColumns(
  roles: readonly FilterChoice[],
  acts: UserActs | null,
): readonly GridColumn<UserRow>[] {
  const columns: GridColumn<UserRow>[] = [
    { id: 'email', title: 'Email', width: 200, growth: 2, cell: (row) => row.email },
    {
      id: 'lastName',
      title: 'Last Name',
      width: 120,
      cell: (row) => row.lastName,
      sort: 'lastName',
      filter: 'lastName',
      card: 'title',
    },
    {
      id: 'firstName',
      title: 'First Name',
      width: 110,
      cell: (row) => row.firstName,
      sort: 'firstName',
      filter: 'firstName',
      card: 'title',
    },
    {
      id: 'lastLogin',
      title: 'Last Login',
      // Fits 'September 30, 2026 11:59 PM', even on tablets.
      width: 208,
      cell: formatLogin,
      rigid: true,
    },
    {
      id: 'role',
      title: 'Role',
      width: 150,
      cell: ({ role, active }) => (active ? role : `${role}, not active`),
      filter: 'role',
      filterChoices: roles,
      rigid: true,
      card: 'aside',
    },
  ];
  if (acts === null) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      title: 'Actions',
      width: 108,
      cell: (row) => <RowActions row={row} acts={acts} />,
      rigid: true,
      card: 'hidden',
    },
  ];
}

function RowActions({ row, acts }: { row: UserRow; acts: UserActs }) {
  const name = `${row.lastName}, ${row.firstName}`;
  const buttons = [
    ['changeUser', 'Edit', <EditIcon key="edit" />, acts.edit],
    ['deleteUser', 'Delete', <TrashIcon key="delete" />, acts.remove],
    ['inviteUser', 'Resend', <EnvelopeIcon key="resend" />, acts.invite],
  ] as const;
  return (
    <span className={styles['actions']}>
      {buttons.map(([act, label, icon, run]) => {
        const { allowed, reason } = acts.judge(act, row);
        return (
          <ActButton
            key={label}
            size="small"
            variant="minimal"
            icon={icon}
            aria-label={`${label} ${name}`}
            title={reason ?? label}
            disabled={!allowed}
            reason={reason ?? undefined}
            onClick={(event) => {
              event.stopPropagation();
              run(row);
            }}
          />
        );
      })}
    </span>
  );
}
