import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';

import { messages, ReasonKind, ResultStatus } from '../../../contract';
import { reasonsQuery } from '../../settings/api';
import { listReasonOptions } from '../../settings/reasonOptions';
import { isTestCanceled } from '../components/EntryLock';
import { TestState } from '../components/TestState';
import { ToneText } from '../../../components/ResultTone';
import type { ToxicologyEntryOrder, ToxicologyEntryRow } from './api';
import styles from './toxicology.module.css';
import { getFieldName, hasRelease, isCorrection, type Part, type Values } from './typedResults';

interface EntryTableProps {
  order: ToxicologyEntryOrder;
  values: Values;
  fieldErrors: Values;
  isLocked: boolean;
  onType: (field: string, value: string) => void;
  /** Shows what else can be done with a result. */
  renderActs: (row: ToxicologyEntryRow) => ReactNode;
}

interface CellProps extends EntryTableProps {
  row: ToxicologyEntryRow;
}

/** Moves the focus to the next result, and from the last to the first. */
function focusNext(current: HTMLInputElement) {
  const results = [
    ...(current.form?.querySelectorAll<HTMLInputElement>('input[data-result]') ?? []),
  ];
  (results[results.indexOf(current) + 1] ?? results[0])?.focus();
}

function describeLimits({ cutOff, low, high, unit }: ToxicologyEntryRow): string {
  if (cutOff !== null) return [cutOff, unit].filter(Boolean).join(' ');
  if (low !== null && high !== null) return [`${low} - ${high}`, unit].filter(Boolean).join(' ');
  return '';
}

function describeState(row: ToxicologyEntryRow): string {
  if (isTestCanceled(row)) return 'Canceled';
  if (row.status === ResultStatus.FINAL) return row.withheld === null ? 'Released' : '';
  if (row.status !== ResultStatus.UNRELEASED) {
    return row.awaitsCollection ? messages.SPECIMEN_NEEDED : '';
  }
  if (row.released !== null) return `Correction of ${row.released}, not released`;
  return hasRelease(row) ? 'Correction, not released' : 'Not released';
}

/** The text field of a test's result, comment, or explanation, with the portal's message. */
function TextCell({ row, part, label, ...table }: CellProps & { part: Part; label: string }) {
  const id = useId();
  const field = getFieldName(row, part);
  const value = table.values[field] ?? '';
  const error = table.fieldErrors[field];
  const choices = part === 'result' && row.choices.length > 0 ? `${id}-choices` : undefined;
  return (
    <>
      <input
        className={`bp6-input ${error ? 'bp6-intent-danger' : ''} ${part === 'result' ? '' : (styles['wide'] ?? '')}`}
        data-result={part === 'result' ? true : undefined}
        aria-label={`${label} of ${row.name}`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : id}
        autoComplete="off"
        list={choices}
        // What was typed before the test was canceled can be deleted.
        readOnly={table.isLocked || (isTestCanceled(row) && value === (row[part] ?? ''))}
        value={value}
        onChange={({ currentTarget }) => table.onType(field, currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || part !== 'result') return;
          event.preventDefault();
          focusNext(event.currentTarget);
        }}
      />
      {choices === undefined ? null : (
        <datalist id={choices}>
          {row.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {error === undefined ? null : (
        <span id={id} className={styles['error']}>
          {error}
        </span>
      )}
    </>
  );
}

/** Why a released result is corrected: a reason from the list, and words. */
function ReasonCell({ row, ...table }: CellProps) {
  const reasons = useQuery(reasonsQuery(ReasonKind.CORRECTION));
  const field = getFieldName(row, 'reasonCode');
  const error = table.fieldErrors[field];
  return (
    <>
      <select
        aria-label={`Reason to correct ${row.name}`}
        aria-invalid={error !== undefined}
        value={table.values[field] ?? ''}
        disabled={table.isLocked}
        onChange={({ currentTarget }) => table.onType(field, currentTarget.value)}
      >
        <option value="">Reason</option>
        {listReasonOptions(reasons.data, row).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>{' '}
      <TextCell row={row} part="explanation" label="Explanation" {...table} />
      {error === undefined ? null : <span className={styles['error']}>{error}</span>}
    </>
  );
}

function Check({ row }: { row: ToxicologyEntryRow }) {
  if (row.isDetected === null) return null;
  return (
    <ToneText tone={row.isDetected ? 'abnormal' : 'normal'} quiet>
      {row.isDetected ? 'Detected' : 'Not detected'}
    </ToneText>
  );
}

/** The tests of an order with their fields; a correction of a released result asks why. */
export function EntryTable(props: EntryTableProps) {
  return (
    <div className={`${styles['section']} ${styles['frame']}`}>
      <table className={`${styles['table']} ${styles['entryTable']}`}>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Test</th>
            <th scope="col">Result</th>
            <th scope="col">Check</th>
            <th scope="col">Cut-off, Limits</th>
            <th scope="col">Comment</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {props.order.rows.map((row) =>
            row.isPanel ? (
              <tr key={row.orderTestId} className={styles['panel']}>
                <th scope="colgroup" colSpan={7}>
                  {row.name}
                </th>
              </tr>
            ) : (
              <tr key={row.orderTestId}>
                <td data-title="Code">{row.code}</td>
                <th scope="row">{row.name}</th>
                <td data-title="Result">
                  <TextCell row={row} part="result" label="Result" {...props} />
                </td>
                <td data-title="Check">
                  <Check row={row} />
                </td>
                <td data-title="Cut-off, Limits">{describeLimits(row)}</td>
                <td data-title="Comment">
                  <TextCell row={row} part="comment" label="Comment" {...props} />
                  {isCorrection(row, props.values) ? <ReasonCell row={row} {...props} /> : null}
                </td>
                <td data-title="State">
                  <div className={styles['state']}>
                    <span className="quiet">{describeState(row)}</span>
                    <TestState {...row} />
                    {props.renderActs(row)}
                  </div>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
