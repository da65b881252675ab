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
import { hasRelease, isUnlocked } from './RowActs';
import {
  Note,
  rangeColumn,
  testColumn,
  unitColumn,
  type ResultColumn,
} from '../components/ResultTable';
import { isTestCanceled } from '../components/EntryLock';
import { SpecimenTag } from '../components/SpecimenTag';
import { describeWithholding, HoldTags } from '../components/TestState';
import { ToneText } from '../../../components/ResultTone';
import {
  computeReported,
  findDilution,
  getFieldName,
  type Part,
  type Values,
} from './typedResults';

interface EntryState {
  values: Values;
  fieldErrors: Values;
  /** A prefix of all element ids. */
  id: string;
  /** Whether the user may not enter results here. */
  isLocked: boolean;
  onType: (field: string, value: string) => void;
  onEnter: (from: HTMLInputElement) => void;
  /** Says where the result of a test is entered that several panels contain. */
  describeOwner: (row: EntryRow) => string;
  /** Shows what else can be done with a result. */
  renderActs: (row: EntryRow) => ReactNode;
}

interface CellProps {
  row: EntryRow;
  entryState: EntryState;
}

const getId = ({ row, entryState }: CellProps, part: string) =>
  `${entryState.id}-${row.orderTestId}-${part}`;

/**
 * Checks the text of a result field. An empty field is checked with the saved result, which stays
 * in force.
 */
function checkField({ row, entryState }: CellProps): ResultCheck | null {
  const reportedValue = computeReported(row, entryState.values);
  const value = reportedValue === '' ? (row.result ?? '') : reportedValue;
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

/** How a result was diluted. Before a save, also its value after the save. */
function describeDilution(row: EntryRow, values: Values): string | null {
  const dilution = findDilution(row, values);
  const chosenDilution = values[getFieldName(row, 'dilution')] ?? '';
  if (dilution === null) return chosenDilution === '' ? null : `at 1:${chosenDilution}`;
  const text = `${dilution.measuredText} at 1:${dilution.factor}`;
  return chosenDilution === '' ? text : `${text} = ${computeReported(row, values)}`;
}

/** What is known about how a result was measured. */
function describeMeasurement(row: EntryRow, values: Values): string {
  // While a repeat is typed, its field no longer shows the first result.
  const first = row.firstResult ?? (values[getFieldName(row, 'repeat')] ? row.result : null);
  return [
    row.calculated === null ? null : `Calculated: ${row.calculated}`,
    row.result === messages.RESULT_NOT_CALCULATED ? row.comment : null,
    describeDilution(row, values),
    first === null ? null : `first ${first}`,
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
  const measurement = describeMeasurement(row, entryState.values);
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
    <div className={styles['state']}>
      <span className={`quiet ${releaser === null ? styles['word'] : styles['line']}`}>
        {isCorrecting ? 'Correction' : describeState(row)}
      </span>
      {releaser === null ? null : <span className={`quiet ${styles['word']}`}>{releaser}</span>}
      {entryState.renderActs(row)}
      {row.awaitsCollection ? <SpecimenTag /> : null}
      <HoldTags holds={row.holds} />
      <div className={styles['notes']}>
        {measurement === '' ? null : <Note>{measurement}</Note>}
        {row.commentNotice ? (
          <span id={getId({ row, entryState }, 'comment-notice')}>
            <Note isUrgent>{row.commentNotice}</Note>
          </span>
        ) : null}
        {row.waitsBecause === null ? null : <Note>{row.waitsBecause}</Note>}
        {row.addedBecause === null ? null : (
          <Note isUrgent={row.isReasonGone}>{row.addedBecause}</Note>
        )}
      </div>
    </div>
  );
}

function LastCell({ row, entryState }: CellProps) {
  if (row.previousResult === null) return null;
  const reportedValue = computeReported(row, entryState.values);
  const change = compareWithLast(row, reportedValue === '' ? (row.result ?? '') : reportedValue);
  return (
    <>
      {row.previousResult}{' '}
      <span className="quiet">
        {formatDate(row.previousDate)} · {`${row.previousDays}\u00a0d`}
        {row.previousDifference ? ` · ${row.previousDifference}` : null}
      </span>{' '}
      {change === null ? null : (
        <ToneText tone={change.isExceeded ? 'critical' : 'normal'} quiet>
          {change.text}
        </ToneText>
      )}
    </>
  );
}

/**
 * The common props of a test's input fields. What was typed before the test was canceled can be
 * deleted, because the rest of the order is not saved with it.
 */
function getFieldProps(cell: CellProps, part: Part) {
  const { row, entryState } = cell;
  const field = getFieldName(row, part);
  const value = entryState.values[field] ?? '';
  const hasError = field in entryState.fieldErrors;
  return {
    className: `bp6-input ${hasError ? 'bp6-intent-danger' : ''}`,
    'data-rejected': hasError || undefined,
    'aria-describedby': getId(cell, `${part}-rejection`),
    'aria-invalid': hasError,
    readOnly:
      entryState.isLocked ||
      (isTestCanceled(row) ? value === (row[part] ?? '') : !isUnlocked(row, entryState.values)),
    value,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      entryState.onType(field, event.currentTarget.value),
  };
}

/** The portal's message about a field. */
function FieldError({ part, ...cell }: CellProps & { part: Part }) {
  const message = cell.entryState.fieldErrors[getFieldName(cell.row, part)];
  if (message === undefined) return null;
  return (
    <span id={getId(cell, `${part}-rejection`)} className={styles['error']}>
      {message}
    </span>
  );
}

function ResultCell(cell: CellProps) {
  const { row, entryState } = cell;
  const field = getFieldProps(cell, 'result');
  const isNumericResult = isNumeric(row);
  // Words must show their beginning: the rest of NOT CALCULATED says the opposite.
  const isFigure = isNumericResult && field.value !== messages.RESULT_NOT_CALCULATED;
  if (row.sameAs !== null) {
    return isTestCanceled(row) ? null : <>{entryState.values[`result-${row.sameAs}`] ?? ''}</>;
  }
  const choices = row.choices.length > 0 ? getId(cell, 'choices') : undefined;
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${styles[isFigure ? 'result' : 'textResult']}`}
        data-result
        data-focus-first
        aria-label={`Result of ${row.name}`}
        aria-describedby={`${field['aria-describedby']} ${getId(cell, 'check')}`}
        aria-invalid={field['aria-invalid'] || checkField(cell)?.tone === 'error'}
        inputMode={isNumericResult ? 'decimal' : 'text'}
        list={choices}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          entryState.onEnter(event.currentTarget);
        }}
      />
      <FieldError {...cell} part="result" />
      {choices === undefined ? null : (
        <datalist id={choices}>
          {row.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

function CheckCell(cell: CellProps) {
  const check = checkField(cell);
  return (
    <span id={getId(cell, 'check')} aria-live="polite">
      {check === null ? null : (
        <ToneText tone={check.tone} quiet>
          {check.text}
        </ToneText>
      )}
    </span>
  );
}

function CommentCell(cell: CellProps) {
  if (cell.row.sameAs !== null) return null;
  return <CommentField {...cell} />;
}

function CommentField(cell: CellProps) {
  const field = getFieldProps(cell, 'comment');
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${styles['comment']}`}
        aria-label={`Comment on ${cell.row.name}`}
        aria-describedby={`${field['aria-describedby']} ${getId(cell, 'comment-notice')}`}
      />
      <FieldError {...cell} part="comment" />
    </>
  );
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
  { ...unitColumn, width: styles['unitColumn'] },
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
