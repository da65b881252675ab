import { formatDate } from '../../../lib/dates';
import { ResultStatus } from '../../../contract';
import type { EntryRow } from '../api';
import styles from './entryColumns.module.css';
import { flagInWords, isNumeric, judge, type Judgement } from './judge';
import { rangeColumn, testColumn, unitColumn, type ResultColumn } from './ResultTable';
import { Toned } from './ResultTone';
import { fieldOf, type Part, type Values } from './typedResults';

interface Entering {
  values: Values;
  refusals: Values;
  /** Begins the ids of all parts. */
  id: string;
  /** Nothing can be entered here by this person. */
  locked: boolean;
  onType: (field: string, value: string) => void;
  onEnter: (from: HTMLInputElement) => void;
}

interface CellProps {
  row: EntryRow;
  entering: Entering;
}

const idOf = ({ row, entering }: CellProps, part: string) =>
  `${entering.id}-${row.orderTestId}-${part}`;

/** What is said beside a result; while the field is empty, of the result that still stands. */
function checked({ row, entering }: CellProps): Judgement | null {
  const typed = entering.values[fieldOf(row, 'result')] ?? '';
  const value = typed.trim() === '' ? (row.result ?? '') : typed;
  return judge(row, value) ?? (value === row.result ? flagInWords(row.flag) : null);
}

function stateOf(row: EntryRow): string {
  if (row.status === ResultStatus.FINAL) return 'Released';
  if (row.status !== ResultStatus.UNRELEASED) return '';
  return row.isCorrection ? 'Correction, not released' : 'Not released';
}

/** What the fields of a test have in common. */
function fieldProps(cell: CellProps, part: Part) {
  const { row, entering } = cell;
  const field = fieldOf(row, part);
  const refused = field in entering.refusals;
  return {
    className: `bp6-input ${refused ? 'bp6-intent-danger' : ''}`,
    'data-refused': refused || undefined,
    'aria-describedby': idOf(cell, `${part}-refusal`),
    'aria-invalid': refused,
    readOnly: entering.locked,
    value: entering.values[field] ?? '',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      entering.onType(field, event.currentTarget.value),
  };
}

/** Why the portal took no such value. */
function PartRefusal({ part, ...cell }: CellProps & { part: Part }) {
  const message = cell.entering.refusals[fieldOf(cell.row, part)];
  if (message === undefined) return null;
  return (
    <span id={idOf(cell, `${part}-refusal`)} className={styles['refusal']}>
      {message}
    </span>
  );
}

function ResultCell(cell: CellProps) {
  const { row, entering } = cell;
  const field = fieldProps(cell, 'result');
  const numeric = isNumeric(row);
  const choices = row.choices.length > 0 ? idOf(cell, 'choices') : undefined;
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${styles[numeric ? 'result' : 'words']}`}
        data-result
        aria-label={`Result of ${row.name}`}
        aria-describedby={`${field['aria-describedby']} ${idOf(cell, 'check')}`}
        aria-invalid={field['aria-invalid'] || checked(cell)?.tone === 'error'}
        inputMode={numeric ? 'decimal' : 'text'}
        list={choices}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          entering.onEnter(event.currentTarget);
        }}
      />
      <PartRefusal {...cell} part="result" />
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
  const check = checked(cell);
  return (
    <span id={idOf(cell, 'check')} aria-live="polite">
      {check === null ? null : (
        <Toned tone={check.tone} quiet>
          {check.text}
        </Toned>
      )}
    </span>
  );
}

function CommentCell(cell: CellProps) {
  const field = fieldProps(cell, 'comment');
  return (
    <>
      <input
        {...field}
        className={`${field.className} ${styles['remark']}`}
        aria-label={`Comment on ${cell.row.name}`}
      />
      <PartRefusal {...cell} part="comment" />
    </>
  );
}

/** The columns in which results are entered: a test's result and comment, and what is known of it. */
export const entryColumns = (entering: Entering): readonly ResultColumn<EntryRow>[] => [
  { title: 'Code', kind: 'number', cell: (row) => row.code },
  testColumn,
  { title: 'Result', cell: (row) => <ResultCell row={row} entering={entering} /> },
  { title: 'Check', cell: (row) => <CheckCell row={row} entering={entering} /> },
  unitColumn,
  rangeColumn,
  {
    title: 'Previous',
    kind: 'number',
    cell: (row) =>
      row.previousResult ? (
        <>
          {row.previousResult} <span className="quiet">{formatDate(row.previousDate)}</span>
        </>
      ) : null,
  },
  { title: 'Comment', cell: (row) => <CommentCell row={row} entering={entering} /> },
  { title: 'State', kind: 'quiet', cell: stateOf },
];
