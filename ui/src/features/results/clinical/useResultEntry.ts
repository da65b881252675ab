import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ApiError, describeError } from '../../../api';
import { useRecordForm, type RejectedSave } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, say } from '../../../contract';
import { releaseResults, saveResults, type ResultEntry } from './api';
import {
  compareResults,
  listEdits,
  findErrorField,
  trimValues as normalize,
  toFormValues,
  type Values,
} from './typedResults';

type Rejection = RejectedSave<Values, ResultEntry>;

const schema = z.record(z.string(), z.string());
const SIGNED_OUT = 401;
const STALE = 412;

const findField = (wire: string, { typed, record }: Rejection): string | null =>
  record === undefined ? null : findErrorField(wire, listEdits(record, typed));

/**
 * Returns the message for a rejected save; null if the session has ended, which the sign-in
 * explains.
 */
function explain(error: ApiError, rejection: Rejection): string | null {
  if (error.status === SIGNED_OUT) return null;
  const fields = error.errors.flatMap(({ field }) => findField(field, rejection) ?? []);
  const tests = new Set(fields.map((field) => Number(field.split('-')[1])));
  const first = rejection.record?.rows.find(({ orderTestId }) => tests.has(orderTestId));
  return first === undefined
    ? describeError(error)
    : say(messages.RESULTS_REFUSED, { count: tests.size, test: first.name });
}

interface ResultEntryOptions {
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
}

/**
 * Typing, saving and releasing the results of an order. Nobody's saved results are overwritten
 * unseen: after a conflict nothing is saved until the user has decided.
 */
export function useResultEntry({ entry, onChanged, reload }: ResultEntryOptions) {
  // A new object per rejection, since only marked fields can be focused afterwards.
  const [rejectedSave, setRejectedSave] = useState<Rejection | null>(null);
  const reloadOrder = async () => {
    const latest = await reload();
    onChanged(latest);
    return latest;
  };
  const record = useRecordForm<Values, ResultEntry>({
    schema,
    defaults: {},
    record: entry,
    toValues: toFormValues,
    save: (values, context, order = entry) =>
      saveResults(order.orderId, listEdits(order, values), { ...context, version: order.version }),
    reload: reloadOrder,
    onSaved: (saved) => {
      onChanged(saved);
      toasts.success(messages.RESULTS_SAVED);
    },
    normalize,
    compare: compareResults,
    findField,
    explain: (error, rejection) => {
      setRejectedSave(rejection);
      return explain(error, rejection);
    },
  });
  const { form, record: order = entry, adopt, showConflict } = record;
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
        reloadOrder().then(showConflict, (failure: unknown) => {
          toasts.error(`${describeError(error)} ${describeError(failure)}`);
        });
      }
      return status === STALE || status === SIGNED_OUT;
    },
  });

  const hasUnsaved = record.isDirty || record.isUnconfirmed;
  const canSave = hasUnsaved && !record.isInConflict && !record.isSaving;
  return {
    order,
    values: values as Values,
    /** The portal's message for each rejected field. */
    fieldErrors: Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, error?.message ?? '']),
    ),
    rejectedSave,
    notices: record.notices,
    canSave,
    canRelease: !hasUnsaved && !record.isInConflict,
    isSaving: record.isSaving,
    isReleasing: releasing.isRunning,
    type: (field: string, value: string) => {
      form.clearErrors(field);
      form.setValue(field, value, { shouldDirty: true });
    },
    save: () => {
      if (canSave) void record.submit();
    },
    release: () => releasing.run(order),
  };
}
