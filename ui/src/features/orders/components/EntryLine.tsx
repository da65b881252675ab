import { formatDate } from '../../../lib/dates';
import { ResultStatus } from '../../../contract';
import type { EntryRow } from '../api';
import styles from './entry.module.css';
import { flagInWords, isNumeric, judge, type Judgement } from './judge';
import orderStyles from './orders.module.css';
import { fieldOf, type Part, type Values } from './typedResults';

interface EntryLineProps {
  row: EntryRow;
  values: Values;
  refusals: Values;
  /** Begins the ids of this line's parts. */
  id: string;
  /** Nothing can be entered here by this person. */
  locked: boolean;
  onType: (field: string, value: string) => void;
  onEnter: (from: HTMLInputElement) => void;
}

/** What is said beside a result; while the field is empty, of the result that still stands. */
function checked(row: EntryRow, typed: string): Judgement | null {
  const value = typed.trim() === '' ? (row.result ?? '') : typed;
  return judge(row, value) ?? (value === row.result ? flagInWords(row.flag) : null);
}

function stateOf(row: EntryRow): string {
  if (row.status === ResultStatus.FINAL) return 'Released';
  if (row.status !== ResultStatus.UNRELEASED) return '';
  return row.isCorrection ? 'Correction, not released' : 'Not released';
}

/** One test: its result and comment, and what is known of it. */
export function EntryLine({ row, values, refusals, id, locked, onType, onEnter }: EntryLineProps) {
  const [result, comment] = [fieldOf(row, 'result'), fieldOf(row, 'comment')];
  const typed = values[result] ?? '';
  const check = checked(row, typed);
  const checkId = `${id}-check`;
  const refusalId = (part: Part) => `${id}-${part}-refusal`;
  const numeric = isNumeric(row);
  const refusal = (part: Part) => {
    const message = refusals[fieldOf(row, part)];
    if (message === undefined) return null;
    return (
      <span id={refusalId(part)} className={styles['refusal']}>
        {message}
      </span>
    );
  };
  const marked = (field: string) => (field in refusals ? 'bp6-intent-danger' : '');
  return (
    <tr>
      <td className="number">{row.code}</td>
      <th scope="row">{row.name}</th>
      <td>
        <input
          className={`bp6-input ${marked(result)} ${numeric ? '' : orderStyles['words']}`}
          data-result
          data-refused={result in refusals || undefined}
          aria-label={`Result of ${row.name}`}
          aria-describedby={`${refusalId('result')} ${checkId}`}
          aria-invalid={result in refusals || check?.tone === 'error'}
          inputMode={numeric ? 'decimal' : 'text'}
          list={row.choices.length > 0 ? id : undefined}
          autoComplete="off"
          readOnly={locked}
          value={typed}
          onChange={(event) => onType(result, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            onEnter(event.currentTarget);
          }}
        />
        {refusal('result')}
        {row.choices.length > 0 ? (
          <datalist id={id}>
            {row.choices.map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        ) : null}
      </td>
      <td id={checkId} aria-live="polite">
        {check ? (
          <span
            className={
              check.tone === 'normal'
                ? 'quiet'
                : orderStyles[check.tone === 'abnormal' ? 'abnormal' : 'critical']
            }
          >
            {check.text}
          </span>
        ) : null}
      </td>
      <td>{row.unit}</td>
      <td className="number">{row.referenceRange}</td>
      <td className="number">
        {row.previousResult ? (
          <>
            {row.previousResult} <span className="quiet">{formatDate(row.previousDate)}</span>
          </>
        ) : null}
      </td>
      <td>
        <input
          className={`bp6-input ${marked(comment)} ${orderStyles['remark']}`}
          data-refused={comment in refusals || undefined}
          aria-label={`Comment on ${row.name}`}
          aria-describedby={refusalId('comment')}
          aria-invalid={comment in refusals}
          readOnly={locked}
          value={values[comment] ?? ''}
          onChange={(event) => onType(comment, event.currentTarget.value)}
        />
        {refusal('comment')}
      </td>
      <td className="quiet">{stateOf(row)}</td>
    </tr>
  );
}
