import type { ReactNode } from 'react';

import { ResultStatus } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import {
  CheckText,
  CommentField,
  FieldError,
  ResultField,
  StateFrame,
  type EntryFields,
} from '../components/EntryCells';
import { isTestCanceled } from '../components/EntryLock';
import shared from '../components/entryTable.module.css';
import {
  Note,
  rangeColumn,
  renderUnit,
  testColumn,
  unitColumn,
  type ResultColumn,
} from '../components/ResultTable';
import { describeWithholding } from '../components/TestState';
import { describeMeasurement } from '../measurement';
import { hasRelease } from '../released';
import type { ToxicologyEntryRow } from './api';
import { checkReading, multiplyBy } from './resultCheck';
import styles from './toxicology.module.css';
import {
  computeReported,
  getFieldName,
  isCorrecting,
  isEnteredAbove,
  isUnlocked,
  type Part,
} from './typedResults';

/** A row of the table; the limits are in the place of a reference range. */
export type EntryLine = ToxicologyEntryRow & { referenceRange: string | null };

interface EntryState extends EntryFields {
  /** The lab's words for the reasons of corrections, by code. */
  reasons: ReadonlyMap<string, string>;
  /** Shows what else can be done with a result. */
  renderActs: (row: ToxicologyEntryRow) => ReactNode;
}

interface CellProps {
  row: ToxicologyEntryRow;
  entryState: EntryState;
}

const readField = ({ row, entryState }: CellProps, part: Part): string =>
  entryState.values[getFieldName(row, part)] ?? '';

/** The cut-off of a drug, or the limits within which a specimen is valid. */
function describeLimits({ cutOff, low, high }: ToxicologyEntryRow): string | null {
  if (cutOff !== null) return `Cut-off ${cutOff}`;
  if (low !== null && high !== null) return `${low} - ${high}`;
  if (low !== null) return `≥ ${low}`;
  return high === null ? null : `≤ ${high}`;
}

export const toEntryLines = (rows: readonly ToxicologyEntryRow[]): EntryLine[] =>
  rows.map((row) => ({ ...row, referenceRange: describeLimits(row) }));

function describeState(row: ToxicologyEntryRow): string {
  if (isTestCanceled(row)) return 'Canceled';
  if (row.withheld !== null && row.status === ResultStatus.FINAL)
    return describeWithholding(row.withheld);
  if (row.status === ResultStatus.FINAL)
    return `Released ${formatTimestamp(row.releasedAt)}`.trim();
  if (row.status !== ResultStatus.UNRELEASED) return '';
  return hasRelease(row) ? 'Correction, not released' : 'Not released';
}

/** What readers saw before a correction, and why it is made: 'was 150 · Wrong specimen'. */
function describeCorrection(cell: CellProps): string {
  const { row, entryState } = cell;
  const code = readField(cell, 'reasonCode');
  const reason = entryState.reasons.get(code) ?? (code === row.reasonCode ? row.reason : null);
  return [
    row.status === ResultStatus.UNRELEASED && row.released !== null ? `was ${row.released}` : null,
    reason,
    readField(cell, 'explanation'),
  ]
    .filter(Boolean)
    .join(' · ');
}

const getFieldProps = ({ row, entryState }: CellProps) => ({
  test: row,
  fields: entryState,
  isUnlocked: isUnlocked(row, entryState.values),
});

function ResultCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (isEnteredAbove(row)) {
    return <>{entryState.values[`result-${row.sameAs}`] ?? ''}</>;
  }
  const check = checkReading(row, computeReported(row, entryState.values));
  return <ResultField {...getFieldProps(cell)} hasFault={check?.tone === 'error'} />;
}

function CheckCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (isEnteredAbove(row)) return null;
  const check = checkReading(row, computeReported(row, entryState.values));
  return <CheckText test={row} fields={entryState} check={check} />;
}

function CommentCell(cell: CellProps) {
  if (isEnteredAbove(cell.row)) return null;
  return <CommentField {...getFieldProps(cell)} autoComplete="off" />;
}

function StateCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (isEnteredAbove(row)) return <span className="quiet">Entered above</span>;
  const correction = describeCorrection(cell);
  const measurement = describeMeasurement(row, entryState.values, multiplyBy(row)).join(' · ');
  const isReleased =
    row.status === ResultStatus.FINAL && row.withheld === null && !isTestCanceled(row);
  const isCorrectingNow = isCorrecting(row, entryState.values);
  return (
    <StateFrame
      test={row}
      text={isCorrectingNow ? 'Correction' : describeState(row)}
      releaser={isReleased && !isCorrectingNow ? row.releasedBy : null}
      acts={entryState.renderActs(row)}
    >
      {row.withheld !== null && row.status === ResultStatus.UNRELEASED ? (
        <Note>{describeWithholding(row.withheld)}</Note>
      ) : null}
      {measurement === '' ? null : <Note>{measurement}</Note>}
      {row.unitNotice ? <Note isUrgent>{row.unitNotice}</Note> : null}
      {correction === '' ? null : <Note>{correction}</Note>}
      <FieldError test={row} fields={entryState} part="reasonCode" />
      <FieldError test={row} fields={entryState} part="explanation" />
      {row.leftBecause === null || row.holds.length > 0 ? null : <Note>{row.leftBecause}.</Note>}
    </StateFrame>
  );
}

/** The class of the table: its columns and rows keep their size while values are typed. */
export const entryTable = `${shared['table']} ${styles['entryTable']}`;

/** The columns of toxicology entry, which are those of clinical entry. */
export const buildEntryColumns = (entryState: EntryState): readonly ResultColumn<EntryLine>[] => [
  { title: 'Code', kind: 'number', width: shared['codeColumn'], cell: (row) => row.code },
  { ...testColumn, width: styles['testColumn'] },
  {
    title: 'Result',
    width: shared['resultColumn'],
    cell: (row) => <ResultCell row={row} entryState={entryState} />,
  },
  {
    title: 'Check',
    width: shared['checkColumn'],
    cell: (row) => <CheckCell row={row} entryState={entryState} />,
  },
  {
    ...unitColumn,
    width: styles['unitColumn'],
    cell: (row) => renderUnit(row, entryState.values[getFieldName(row, 'result')] ?? ''),
  },
  { ...rangeColumn, title: 'Cut-off, Limits', width: shared['rangeColumn'] },
  { title: 'Comment', cell: (row) => <CommentCell row={row} entryState={entryState} /> },
  {
    title: 'State',
    width: shared['stateColumn'],
    cell: (row) => <StateCell row={row} entryState={entryState} />,
  },
];
