import type { ReactNode } from 'react';

import { formatDate, formatTimestamp } from '../../../lib/dates';
import { messages, ResultStatus } from '../../../contract';
import type { EntryRow } from './api';
import styles from '../components/entryTable.module.css';
import {
  checkResult,
  compareWithLast,
  describeFlag,
  isNumeric,
  type ResultCheck,
} from './resultCheck';
import { isUnlocked } from './RowActs';
import {
  Note,
  rangeColumn,
  renderUnit,
  testColumn,
  unitColumn,
  type ResultColumn,
} from '../components/ResultTable';
import {
  CheckText,
  CommentField,
  getElementId,
  ResultField,
  StateFrame,
  type EntryFields,
} from '../components/EntryCells';
import { isTestCanceled } from '../components/EntryLock';
import { describeWithholding } from '../components/TestState';
import { describeMeasurement } from '../measurement';
import { isInOtherUnit } from '../otherUnit';
import { hasRelease } from '../released';
import { ToneText } from '../../../components/ResultTone';
import { computeReported, getFieldName, multiplyBy, type Values } from './typedResults';

interface EntryState extends EntryFields {
  /** Says where the result of a test in several panels is entered. */
  describeOwner: (row: EntryRow) => string;
  /** Shows what else can be done with a result. */
  renderActs: (row: EntryRow) => ReactNode;
}

interface CellProps {
  row: EntryRow;
  entryState: EntryState;
}

/**
 * Checks the text of a result field. An empty field is checked with the saved result, which stays
 * in force.
 */
function checkField({ row, entryState }: CellProps): ResultCheck | null {
  const reportedValue = computeReported(row, entryState.values);
  const value = reportedValue === '' ? (row.result ?? '') : reportedValue;
  // A stored value was judged by the range of its own unit.
  if (isInOtherUnit(row, value)) return describeFlag(row.flag);
  return checkResult(row, value) ?? (value === row.result ? describeFlag(row.flag) : null);
}

const isReleased = (row: EntryRow): boolean =>
  row.status === ResultStatus.FINAL && !row.withheld && !isTestCanceled(row);

function describeState(row: EntryRow): string {
  if (isTestCanceled(row)) return 'Canceled';
  if (row.withheld) return describeWithholding(row.withheld);
  if (isReleased(row)) return `Released ${formatTimestamp(row.releasedAt)}`.trim();
  if (row.status !== ResultStatus.UNRELEASED) return '';
  if (row.isCorrection) return 'Correction, not released';
  return row.verifiedBy === null ? 'Not released' : `Verified by ${row.verifiedBy}`;
}

/** What is known about how a result was measured. */
function describeOrigin(row: EntryRow, values: Values): string {
  return [
    row.calculated === null ? null : `Calculated: ${row.calculated}`,
    row.result === messages.RESULT_NOT_CALCULATED ? row.comment : null,
    ...describeMeasurement(row, values, multiplyBy(row)),
    row.isCorrection
      ? [row.releasedResult && `was ${row.releasedResult}`, row.reason, row.reasonWords]
          .filter(Boolean)
          .join(' · ')
      : null,
  ]
    .filter(Boolean)
    .join(' · ');
}

function StateCell({ row, entryState }: CellProps) {
  const origin = describeOrigin(row, entryState.values);
  const isUnlockedNow = hasRelease(row) && isUnlocked(row, entryState.values);
  const isCorrecting = isUnlockedNow && !row.isCorrection;
  const releaser = isReleased(row) && !isCorrecting ? row.releasedBy : null;
  if (row.sameAs !== null) {
    return (
      <span className="quiet">
        {isTestCanceled(row) ? describeState(row) : entryState.describeOwner(row)}
      </span>
    );
  }
  return (
    <StateFrame
      test={row}
      text={isCorrecting ? 'Correction' : describeState(row)}
      releaser={releaser}
      acts={entryState.renderActs(row)}
    >
      {origin === '' ? null : <Note>{origin}</Note>}
      {row.unitNotice ? <Note isUrgent>{row.unitNotice}</Note> : null}
      {row.commentNotice ? (
        <span id={getElementId(entryState, row, 'comment-notice')}>
          <Note isUrgent>{row.commentNotice}</Note>
        </span>
      ) : null}
      {row.waitsBecause === null ? null : <Note>{row.waitsBecause}</Note>}
      {row.addedBecause === null ? null : (
        <Note isUrgent={row.isReasonGone}>{row.addedBecause}</Note>
      )}
    </StateFrame>
  );
}

function LastCell({ row, entryState }: CellProps) {
  if (row.previousResult === null) return null;
  const reportedValue = computeReported(row, entryState.values);
  const value = reportedValue === '' ? (row.result ?? '') : reportedValue;
  const change = isInOtherUnit(row, value) ? null : compareWithLast(row, value);
  return (
    <>
      {row.previousResult}{' '}
      <span className="quiet">
        {formatDate(row.previousDate)}, {`${row.previousDays}\u00a0d`}
        {row.previousDifference ? `, ${row.previousDifference}` : null}
      </span>{' '}
      {change === null ? null : (
        <ToneText tone={change.isExceeded ? 'critical' : 'normal'} quiet>
          {change.text}
        </ToneText>
      )}
    </>
  );
}

const getFieldProps = ({ row, entryState }: CellProps) => ({
  test: row,
  fields: entryState,
  isUnlocked: isUnlocked(row, entryState.values),
});

function ResultCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (row.sameAs !== null) {
    return isTestCanceled(row) ? null : <>{entryState.values[`result-${row.sameAs}`] ?? ''}</>;
  }
  const isNumericResult = isNumeric(row);
  const value = entryState.values[getFieldName(row, 'result')] ?? '';
  // Words must show their beginning: the rest of NOT CALCULATED says the opposite.
  const isFigure = isNumericResult && value !== messages.RESULT_NOT_CALCULATED;
  return (
    <ResultField
      {...getFieldProps(cell)}
      hasFault={checkField(cell)?.tone === 'error'}
      isFigure={isFigure}
      inputMode={isNumericResult ? 'decimal' : 'text'}
    />
  );
}

const CheckCell = (cell: CellProps) => (
  <CheckText test={cell.row} fields={cell.entryState} check={checkField(cell)} />
);

function CommentCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (row.sameAs !== null) return null;
  const noteId = getElementId(entryState, row, 'comment-notice');
  return <CommentField {...getFieldProps(cell)} noteId={noteId} />;
}

/** The class of the table: its columns and rows keep their size while values are typed. */
export const entryTable = styles['table'];

/** The columns of result entry: result and comment of each test, and information about it. */
export const buildEntryColumns = (entryState: EntryState): readonly ResultColumn<EntryRow>[] => [
  { title: 'Code', kind: 'number', width: styles['codeColumn'], cell: (row) => row.code },
  { ...testColumn, width: styles['testColumn'] },
  {
    title: 'Result',
    width: styles['resultColumn'],
    cell: (row) => <ResultCell row={row} entryState={entryState} />,
  },
  {
    title: 'Check',
    width: styles['checkColumn'],
    cell: (row) => <CheckCell row={row} entryState={entryState} />,
  },
  {
    ...unitColumn,
    width: styles['unitColumn'],
    cell: (row) => renderUnit(row, entryState.values[getFieldName(row, 'result')] ?? ''),
  },
  { ...rangeColumn, width: styles['rangeColumn'] },
  {
    title: 'Last',
    kind: 'number',
    width: styles['previousColumn'],
    cell: (row) => <LastCell row={row} entryState={entryState} />,
  },
  { title: 'Comment', cell: (row) => <CommentCell row={row} entryState={entryState} /> },
  {
    title: 'State',
    width: styles['stateColumn'],
    cell: (row) => <StateCell row={row} entryState={entryState} />,
  },
];
