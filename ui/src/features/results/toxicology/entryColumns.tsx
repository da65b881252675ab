import type { ChangeEvent, ReactNode } from 'react';

import { ToneText } from '../../../components/ResultTone';
import { ResultStatus } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { isTestCanceled } from '../components/EntryLock';
import shared from '../components/entryTable.module.css';
import {
  Note,
  rangeColumn,
  testColumn,
  unitColumn,
  type ResultColumn,
} from '../components/ResultTable';
import { SpecimenTag } from '../components/SpecimenTag';
import { describeWithholding, HoldTags } from '../components/TestState';
import type { ToxicologyEntryRow } from './api';
import { checkReading } from './resultCheck';
import styles from './toxicology.module.css';
import {
  getFieldName,
  hasRelease,
  isCorrecting,
  isEnteredAbove,
  isUnlocked,
  type Part,
  type Values,
} from './typedResults';

/** A row of the table; the limits are in the place of a reference range. */
export type EntryLine = ToxicologyEntryRow & { referenceRange: string | null };

interface EntryState {
  values: Values;
  fieldErrors: Values;
  /** A prefix of all element ids. */
  id: string;
  /** Whether the user may not enter results here. */
  isLocked: boolean;
  /** The words of the lab's reasons for corrections, by code. */
  reasons: ReadonlyMap<string, string>;
  onType: (field: string, value: string) => void;
  onEnter: (from: HTMLInputElement) => void;
  /** Shows what else can be done with a result. */
  renderActs: (row: ToxicologyEntryRow) => ReactNode;
}

interface CellProps {
  row: ToxicologyEntryRow;
  entryState: EntryState;
}

const getId = ({ row, entryState }: CellProps, part: string) =>
  `${entryState.id}-${row.orderTestId}-${part}`;

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

/** The portal's message about a field. */
function FieldError({ part, ...cell }: CellProps & { part: Part }) {
  const message = cell.entryState.fieldErrors[getFieldName(cell.row, part)];
  if (message === undefined) return null;
  return (
    <span id={getId(cell, `${part}-rejection`)} className={shared['error']}>
      {message}
    </span>
  );
}

/**
 * The common props of a test's input fields. What was typed before the test was canceled can be
 * deleted, because the rest of the order is not saved with it.
 */
function getFieldProps(cell: CellProps, part: 'result' | 'comment') {
  const { row, entryState } = cell;
  const field = getFieldName(row, part);
  const value = readField(cell, part);
  const hasError = field in entryState.fieldErrors;
  return {
    className: `bp6-input ${hasError ? 'bp6-intent-danger' : ''}`,
    'data-rejected': hasError || undefined,
    'aria-describedby': getId(cell, `${part}-rejection`),
    'aria-invalid': hasError,
    autoComplete: 'off',
    readOnly:
      entryState.isLocked ||
      (isTestCanceled(row) ? value === (row[part] ?? '') : !isUnlocked(row, entryState.values)),
    value,
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      entryState.onType(field, event.currentTarget.value),
  };
}

function ResultCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (isEnteredAbove(row)) {
    return <>{entryState.values[`result-${row.sameAs}`] ?? ''}</>;
  }
  const field = getFieldProps(cell, 'result');
  const choices = row.choices.length > 0 ? getId(cell, 'choices') : undefined;
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${shared['textResult']}`}
        data-result
        data-focus-first
        aria-label={`Result of ${row.name}`}
        aria-describedby={`${field['aria-describedby']} ${getId(cell, 'check')}`}
        aria-invalid={
          field['aria-invalid'] || checkReading(row, readField(cell, 'result'))?.tone === 'error'
        }
        list={choices}
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

/** What the typed value says; it follows each letter. */
function CheckCell(cell: CellProps) {
  if (isEnteredAbove(cell.row)) return null;
  const check = checkReading(cell.row, readField(cell, 'result'));
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
  if (isEnteredAbove(cell.row)) return null;
  const field = getFieldProps(cell, 'comment');
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${shared['comment']}`}
        aria-label={`Comment on ${cell.row.name}`}
      />
      <FieldError {...cell} part="comment" />
    </>
  );
}

function StateCell(cell: CellProps) {
  const { row, entryState } = cell;
  if (isEnteredAbove(row)) return <span className="quiet">Entered above</span>;
  const correction = describeCorrection(cell);
  const isReleased =
    row.status === ResultStatus.FINAL && row.withheld === null && !isTestCanceled(row);
  const isCorrectingNow = isCorrecting(row, entryState.values);
  const releaser = isReleased && !isCorrectingNow ? row.releasedBy : null;
  return (
    <div className={shared['state']}>
      <span className={`quiet ${releaser ? shared['line'] : shared['word']}`}>
        {isCorrectingNow ? 'Correction' : describeState(row)}
      </span>
      {releaser ? <span className={`quiet ${shared['word']}`}>{releaser}</span> : null}
      {entryState.renderActs(row)}
      {row.awaitsCollection ? <SpecimenTag /> : null}
      <HoldTags holds={row.holds} />
      <div className={shared['notes']}>
        {row.withheld !== null && row.status === ResultStatus.UNRELEASED ? (
          <Note>{describeWithholding(row.withheld)}</Note>
        ) : null}
        {correction === '' ? null : <Note>{correction}</Note>}
        <FieldError {...cell} part="reasonCode" />
        <FieldError {...cell} part="explanation" />
        {row.leftBecause === null || row.holds.length > 0 ? null : <Note>{row.leftBecause}.</Note>}
      </div>
    </div>
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
  { ...unitColumn, width: styles['unitColumn'] },
  { ...rangeColumn, title: 'Cut-off, Limits', width: shared['rangeColumn'] },
  { title: 'Comment', cell: (row) => <CommentCell row={row} entryState={entryState} /> },
  {
    title: 'State',
    width: shared['stateColumn'],
    cell: (row) => <StateCell row={row} entryState={entryState} />,
  },
];
