import { Tag } from '@blueprintjs/core';
import { Fragment } from 'react';

import type { GridColumn } from '../../../components/grid/types';
import { CriticalStatus } from '../../../contract';
import { formatDate } from '../../../lib/dates';
import { formatInstant } from '../../../lib/instants';
import type { CriticalRow } from '../api';
import styles from './criticalResults.module.css';

/** Shows whether the lab has notified the client. */
export function ProgressTag({
  row,
}: {
  row: Pick<CriticalRow, 'closedAt' | 'toldAt' | 'isOverdue'>;
}) {
  if (row.closedAt !== null) return <Tag minimal>CLOSED</Tag>;
  if (row.toldAt !== null) {
    return (
      <Tag minimal intent="success">
        READ BACK
      </Tag>
    );
  }
  return row.isOverdue ? (
    <Tag intent="danger">OVERDUE</Tag>
  ) : (
    <Tag minimal intent="danger">
      NOT REPORTED
    </Tag>
  );
}

type CriticalItem = CriticalRow['results'][number];

/** Says how a released critical result changed, or which earlier one it corrects; null for neither. */
export function describeChange(item: CriticalItem): string | null {
  if (item.isReplaced) {
    return item.replacedBy === null
      ? 'no longer shown: withdrawn or under review'
      : `corrected to ${item.replacedBy}`;
  }
  return item.corrects === null ? null : `correction of ${item.corrects}`;
}

/** Formats a result and its later change, without the flag. */
function formatResult(item: CriticalItem): string {
  const result = `${item.name} ${item.result}`;
  const change = describeChange(item);
  return change === null ? result : `${result}, ${change}`;
}

/** Flags come first and are never cut, because a part of HH would read as H. */
function renderResults({ results }: CriticalRow) {
  const texts = results.map((item) => [item.flag, formatResult(item)].filter(Boolean).join(' '));
  return (
    <span data-tip={texts.join('; ')}>
      {results.map((item, index) => (
        <Fragment key={texts[index]}>
          {index === 0 ? '' : '; '}
          <span className={styles['result']}>
            {item.flag === null ? null : <strong>{item.flag}</strong>} {formatResult(item)}
          </span>
        </Fragment>
      ))}
    </span>
  );
}

/** The columns of the critical results, with the progress and the time limit first. */
export const criticalColumns: readonly GridColumn<CriticalRow>[] = [
  {
    id: 'progress',
    title: 'Progress',
    width: 128,
    cell: (row) => <ProgressTag row={row} />,
    rigid: true,
    card: 'aside',
  },
  {
    id: 'due',
    title: 'Report by',
    width: 158,
    cell: (row) => formatInstant(row.dueAt),
    sort: 'dueAt',
    rigid: true,
  },
  {
    id: 'code',
    title: 'Order Id',
    width: 104,
    cell: (row) => row.codeValue,
    filter: 'codeValue',
    rigid: true,
    card: 'aside',
  },
  {
    id: 'lastName',
    title: 'Last name',
    width: 116,
    cell: (row) => row.patientLastName,
    filter: 'patientLastName',
    card: 'title',
  },
  {
    id: 'firstName',
    title: 'First name',
    width: 100,
    cell: (row) => row.patientFirstName,
    filter: 'patientFirstName',
    card: 'title',
  },
  {
    id: 'birthDate',
    title: 'Birth Date',
    width: 100,
    cell: (row) => formatDate(row.patientDoB),
    filter: 'patientDoB',
    filterKind: 'date',
    rigid: true,
    dropOrder: 2,
  },
  {
    id: 'client',
    title: 'Client',
    width: 160,
    growth: 2,
    cell: (row) => row.client,
    filter: 'client',
    dropOrder: 4,
  },
  {
    id: 'results',
    title: 'Results',
    width: 440,
    cell: renderResults,
    growth: 4,
  },
  { id: 'told', title: 'Reported to', width: 130, cell: (row) => row.toldName ?? '', dropOrder: 1 },
  {
    id: 'opened',
    title: 'First released',
    width: 158,
    cell: (row) => formatInstant(row.openedAt),
    sort: 'openedAt',
    rigid: true,
    dropOrder: 3,
  },
];

export const progressMasks = [
  { value: String(CriticalStatus.OPEN), label: 'Open' },
  { value: String(CriticalStatus.CLOSED), label: 'Closed' },
  { value: String(CriticalStatus.ALL), label: 'All' },
];

/**
 * The columns for people outside the lab, without the results: a notice has them as they were
 * released, so only the lab reads them there (ADR 38).
 */
export const clientCriticalColumns = criticalColumns.filter(({ id }) => id !== 'results');
