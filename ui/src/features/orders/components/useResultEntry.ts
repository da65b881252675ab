import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ApiError, describe } from '../../../api';
import { useRecordForm, type Refused } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, say } from '../../../contract';
import { releaseResults, saveResults, type ResultEntry } from '../api';
import {
  compareResults,
  edited,
  fieldOfRefusal,
  tidy,
  valuesOf,
  type Values,
} from './typedResults';

type Refusal = Refused<Values, ResultEntry>;

const schema = z.record(z.string(), z.string());
const SIGNED_OUT = 401;
const STALE = 412;

const fieldOf = (wire: string, { typed, record }: Refusal): string | null =>
  record === undefined ? null : fieldOfRefusal(wire, edited(record, typed));

/** The sentence for a refused save; of a session that ended the sign-in speaks. */
function explain(error: ApiError, refused: Refusal): string | null {
  if (error.status === SIGNED_OUT) return null;
  const fields = error.errors.flatMap(({ field }) => fieldOf(field, refused) ?? []);
  const tests = new Set(fields.map((field) => Number(field.split('-')[1])));
  const first = refused.record?.rows.find(({ orderTestId }) => tests.has(orderTestId));
  return first === undefined
    ? describe(error)
    : say(messages.RESULTS_REFUSED, { count: tests.size, test: first.name });
}

interface ResultEntryOptions {
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
}

/**
 * What is typed into an order's tests, and how it is saved and released. Nothing that somebody else
 * saved is overwritten unseen: after a conflict nothing is saved before the person has decided.
 */
export function useResultEntry({ entry, onChanged, reload }: ResultEntryOptions) {
  // Another object each time that fields were refused: only a marked field can be gone to.
  const [refused, setRefused] = useState<Refusal | null>(null);
  const readNewer = async () => {
    const latest = await reload();
    onChanged(latest);
    return latest;
  };
  const record = useRecordForm<Values, ResultEntry>({
    schema,
    defaults: {},
    record: entry,
    toValues: valuesOf,
    save: (values, context, order = entry) =>
      saveResults(order.orderId, edited(order, values), { ...context, version: order.version }),
    reload: readNewer,
    onSaved: (saved) => {
      onChanged(saved);
      toasts.success(messages.RESULTS_SAVED);
    },
    tidy,
    compare: compareResults,
    fieldOf,
    explain: (error, refusal) => {
      setRefused(refusal);
      return explain(error, refusal);
    },
  });
  const { form, record: shown = entry, adopt, showConflict } = record;
  const values = useWatch({ control: form.control });
  const { errors } = form.formState;

  const releasing = useWrite({
    send: ({ orderId, version }: ResultEntry, idempotencyKey) =>
      releaseResults(orderId, { version, idempotencyKey }),
    identify: ({ orderId, version }) => ({ orderId, version }),
    onDone: (released) => {
      adopt(released);
      onChanged(released);
      toasts.success(messages.RESULTS_RELEASED);
    },
    explain: (error) => {
      const status = error instanceof ApiError ? error.status : null;
      if (status === STALE) {
        readNewer().then(showConflict, (failure: unknown) => {
          toasts.error(`${describe(error)} ${describe(failure)}`);
        });
      }
      return status === STALE || status === SIGNED_OUT;
    },
  });

  const hasUnsaved = record.isDirty || record.isUnconfirmed;
  const canSave = hasUnsaved && !record.isInConflict && !record.saving;
  return {
    shown,
    values: values as Values,
    /** The sentence at each field that the portal refused. */
    refusals: Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, error?.message ?? '']),
    ),
    refused,
    notices: record.notices,
    canSave,
    canRelease: !hasUnsaved && !record.isInConflict,
    isSaving: record.saving,
    isReleasing: releasing.isRunning,
    type: (field: string, value: string) => {
      form.clearErrors(field);
      form.setValue(field, value, { shouldDirty: true });
    },
    save: () => {
      if (canSave) void record.submit();
    },
    release: () => releasing.run(shown),
  };
}
