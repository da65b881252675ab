import type { GridColumn } from '../../../components/grid/types';
import { formatInstant } from '../../../lib/instants';
import type { AuditRow } from '../api';
import styles from './audit.module.css';

/** The records of a row: 'P0000012 WALKER, WANDA and 4 more'. */
export function describeRecords({ records, recordCount }: AuditRow): string {
  const names = records.map(({ code, name }) => [code, name].filter(Boolean).join(' ')).join('; ');
  const others = recordCount - records.length;
  return names !== '' && others > 0 ? `${names} and ${others} more` : names;
}

export const auditColumns: readonly GridColumn<AuditRow>[] = [
  {
    id: 'at',
    title: 'Time',
    width: 156,
    cell: (row) => formatInstant(row.at),
    sort: 'at',
    rigid: true,
    card: 'aside',
  },
  { id: 'person', title: 'Person', width: 160, cell: (row) => row.person, card: 'title' },
  { id: 'role', title: 'Role', width: 104, cell: (row) => row.role },
  {
    id: 'what',
    title: 'What',
    width: 230,
    growth: 1,
    cell: (row) => (row.isDenied ? <span className={styles['denied']}>{row.what}</span> : row.what),
  },
  { id: 'records', title: 'Records', width: 300, growth: 2, cell: describeRecords },
];
