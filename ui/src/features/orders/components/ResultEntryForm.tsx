import { Callout } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useId, useRef, useState } from 'react';

import { ApiError, newIdempotencyKey } from '../../../api';
import {
  ConfirmDialog,
  formatDate,
  PageToolbar,
  toasts,
  useUnsavedGuard,
} from '../../../components';
import { FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import { messages, ResultStatus, say } from '../../../contract';
import { releaseResults, saveResults, type EntryRow, type ResultEntry } from '../api';
import { FlagMark } from './FlagMark';
import { isNumeric, judge } from './judge';
import { OrderStatusTag } from './OrderStatus';
import styles from './orders.module.css';

interface Typed {
  result: string;
  comment: string;
}

interface ResultEntryFormProps {
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
}

const typedOf = (row: EntryRow): Typed => ({
  result: row.result ?? '',
  comment: row.comment ?? '',
});

/** The table of an order's tests: type, Enter goes on to the next; save, then release. */
export function ResultEntryForm({ entry, onChanged, reload }: ResultEntryFormProps) {
  const [edits, setEdits] = useState<Readonly<Record<number, Typed>>>({});
  const [stale, setStale] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const key = useRef(newIdempotencyKey());
  const choicesId = useId();

  const dirty = Object.keys(edits).length > 0;
  const guard = useUnsavedGuard(useCallback(() => dirty, [dirty]));
  const waiting = entry.rows.filter((row) => row.status === ResultStatus.UNRELEASED).length;
  const { patient } = entry;

  const settle = (changed: ResultEntry, message: string) => {
    key.current = newIdempotencyKey();
    setEdits({});
    setStale(false);
    onChanged(changed);
    toasts.success(message);
  };
  const failed = async (error: unknown) => {
    key.current = newIdempotencyKey();
    if (error instanceof ApiError && error.status === 412) {
      onChanged(await reload());
      setStale(true);
    } else {
      toasts.failure(error);
    }
  };
  const context = () => ({ version: entry.version, idempotencyKey: key.current });
  const save = useMutation({
    mutationFn: () =>
      saveResults(
        entry.orderId,
        Object.entries(edits).map(([id, typed]) => ({
          orderTestId: Number(id),
          result: typed.result.trim() || null,
          comment: typed.comment.trim() || null,
        })),
        context(),
      ),
    meta: { quiet: true },
    onSuccess: (changed) => settle(changed, messages.RESULTS_SAVED),
    onError: failed,
  });
  const release = useMutation({
    mutationFn: () => releaseResults(entry.orderId, context()),
    meta: { quiet: true },
    onSuccess: (changed) => settle(changed, messages.RESULTS_RELEASED),
    onError: failed,
  });

  const change = (row: EntryRow, part: Partial<Typed>) => {
    setEdits((current) => {
      const next = { ...(current[row.orderTestId] ?? typedOf(row)), ...part };
      const before = typedOf(row);
      const same = next.result === before.result && next.comment === before.comment;
      const others = Object.entries(current).filter(([id]) => Number(id) !== row.orderTestId);
      return Object.fromEntries(same ? others : [...others, [row.orderTestId, next]]);
    });
  };
  const goOn = (from: HTMLInputElement) => {
    const fields = [
      ...(table.current?.querySelectorAll<HTMLInputElement>('input[data-result]') ?? []),
    ];
    (fields[fields.indexOf(from) + 1] ?? fields[0])?.focus();
  };

  return (
    <>
      {guard}
      <PageToolbar
        title={entry.codeValue}
        badge={<OrderStatusTag status={entry.status} />}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            always: true,
            disabled: !dirty,
            loading: save.isPending,
            onClick: () => save.mutate(),
          },
          {
            label: waiting ? `Release ${waiting}` : 'Release',
            icon: <ShareIcon />,
            intent: 'success',
            always: true,
            disabled: dirty || waiting === 0,
            loading: release.isPending,
            onClick: () => setConfirming(true),
          },
        ]}
      />
      <p>
        {patient.lastName}, {patient.firstName} <span className="quiet">·</span>{' '}
        <span className="number">{formatDate(patient.birthDate)}</span>{' '}
        <span className="quiet">·</span> {patient.gender}
      </p>
      {stale ? (
        <Callout intent="warning" role="alert">
          {messages.VERSION_CONFLICT}
        </Callout>
      ) : null}
      <form
        className={styles['results']}
        aria-label="Results"
        onSubmit={(event) => {
          event.preventDefault();
          if (dirty) save.mutate();
        }}
      >
        <table ref={table} className={`${styles['table']} ${styles['entry']}`}>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Test</th>
              <th scope="col">Result</th>
              <th scope="col">Check</th>
              <th scope="col">Unit</th>
              <th scope="col">Reference Range</th>
              <th scope="col">Previous</th>
              <th scope="col">Comment</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {entry.rows.map((row) =>
              row.isPanel ? (
                <tr key={row.orderTestId} className={styles['panelRow']}>
                  <th scope="colgroup" colSpan={9}>
                    {row.name}
                  </th>
                </tr>
              ) : (
                <EntryLine
                  key={row.orderTestId}
                  row={row}
                  typed={edits[row.orderTestId] ?? typedOf(row)}
                  choicesId={`${choicesId}-${row.orderTestId}`}
                  onChange={(part) => change(row, part)}
                  onEnter={goOn}
                />
              ),
            )}
          </tbody>
        </table>
      </form>
      <ConfirmDialog
        isOpen={confirming}
        title="Release results"
        message={say(messages.CONFIRM_RELEASE, { count: waiting })}
        confirmLabel="Release"
        onConfirm={() => {
          setConfirming(false);
          release.mutate();
        }}
        onClose={() => setConfirming(false)}
      />
    </>
  );
}

interface EntryLineProps {
  row: EntryRow;
  typed: Typed;
  choicesId: string;
  onChange: (part: Partial<Typed>) => void;
  onEnter: (from: HTMLInputElement) => void;
}

const STATES: Readonly<Record<number, string>> = {
  [ResultStatus.UNRELEASED]: 'Not released',
  [ResultStatus.FINAL]: 'Released',
};

function EntryLine({ row, typed, choicesId, onChange, onEnter }: EntryLineProps) {
  const check = judge(row, typed.result);
  const checkId = `${choicesId}-check`;
  const numeric = isNumeric(row);
  return (
    <tr>
      <td className="number">{row.code}</td>
      <th scope="row">{row.name}</th>
      <td>
        <input
          className={`bp6-input ${numeric ? '' : styles['words']}`}
          data-result
          aria-label={`Result of ${row.name}`}
          aria-describedby={checkId}
          aria-invalid={check?.tone === 'error'}
          inputMode={numeric ? 'decimal' : 'text'}
          list={row.choices.length > 0 ? choicesId : undefined}
          autoComplete="off"
          value={typed.result}
          onChange={(event) => onChange({ result: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            onEnter(event.currentTarget);
          }}
        />
        {row.choices.length > 0 ? (
          <datalist id={choicesId}>
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
                : styles[check.tone === 'abnormal' ? 'abnormal' : 'critical']
            }
          >
            {check.text}
          </span>
        ) : (
          <FlagMark flag={row.flag} isAbnormal={false} isCritical={false} />
        )}
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
          className={`bp6-input ${styles['remark']}`}
          aria-label={`Comment on ${row.name}`}
          value={typed.comment}
          onChange={(event) => onChange({ comment: event.currentTarget.value })}
        />
      </td>
      <td className="quiet">{STATES[row.status] ?? ''}</td>
    </tr>
  );
}
