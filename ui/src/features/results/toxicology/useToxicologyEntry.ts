import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { describeError } from '../../../api';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages } from '../../../contract';
import { releaseToxicologyResults, saveToxicologyResults, type ToxicologyEntryOrder } from './api';
import { findConfirmedField, type Question } from '../bounds';
import { closedOrder } from '../entryConflict';
import { explainLateAct } from '../explainLateAct';
import { useQuestions } from '../useQuestions';
import { useTestActing } from '../useTestActing';
import { askAboutReading } from './resultCheck';
import {
  computeReported,
  findErrorField,
  getFieldName,
  listEdits,
  listTests,
  toFormValues,
  trimValues as normalize,
  type Values,
} from './typedResults';

const schema = z.record(z.string(), z.string());

/** Lists the questions about unusual values that are typed and not confirmed yet. */
function listQuestions(order: ToxicologyEntryOrder, values: Values): Question[] {
  return listEdits(order, values).flatMap(({ orderTestId, result, isConfirmed }) => {
    const row = order.rows.find((candidate) => candidate.orderTestId === orderTestId);
    const text =
      row && result && !isConfirmed ? askAboutReading(row, computeReported(row, values)) : null;
    return text === null ? [] : [{ orderTestId, text }];
  });
}

interface ToxicologyEntryOptions {
  entry: ToxicologyEntryOrder;
  onChanged: (entry: ToxicologyEntryOrder) => void;
  reload: () => Promise<ToxicologyEntryOrder>;
}

/** Typing, saving and releasing the toxicology results of an order. */
export function useToxicologyEntry({ entry, onChanged, ...options }: ToxicologyEntryOptions) {
  const reload = async () => {
    const latest = await options.reload();
    onChanged(latest);
    return latest;
  };
  // A new object for each rejected save, so that each one moves the focus to its first field.
  const [rejectedSave, setRejectedSave] = useState<object | null>(null);
  const names = new Map(listTests(entry).map(({ orderTestId, name }) => [orderTestId, name]));
  const record = useRecordForm<Values, ToxicologyEntryOrder>({
    schema,
    mustChoose: true,
    defaults: {},
    record: entry,
    toValues: toFormValues,
    save: (values, context, order = entry) =>
      saveToxicologyResults(order.orderId, listEdits(order, values), {
        ...context,
        version: order.version,
      }),
    reload,
    onSaved: (newEntry) => {
      onChanged(newEntry);
      toasts.success(messages.RESULTS_SAVED);
    },
    normalize,
    ...closedOrder,
    getLabel: (field) => names.get(Number(field.split('-')[1])) ?? field,
    findField: (wire, { typedValues, record: order }) =>
      order === undefined ? null : findErrorField(wire, listEdits(order, typedValues)),
    // The message names the test, whose field may be far from view.
    explain: (error, rejection) => {
      setRejectedSave(rejection);
      return error.errors.length > 0 ? describeError(error) : null;
    },
  });
  const { form, record: order = entry, adopt, showConflict } = record;
  const values = useWatch({ control: form.control });
  const { errors } = form.formState;

  const releaseWrite = useWrite({
    send: ({ orderId, version }: ToxicologyEntryOrder, idempotencyKey) =>
      releaseToxicologyResults(orderId, { version, idempotencyKey }),
    identify: ({ orderId, version }) => ({ orderId, version }),
    onDone: (newEntry) => {
      adopt(newEntry);
      onChanged(newEntry);
      toasts.success(messages.RESULTS_RELEASED);
    },
    explain: (error) => {
      return explainLateAct(error, { reload, isDirtyNow: record.isDirtyNow, showConflict });
    },
  });

  const testActs = useTestActing<ToxicologyEntryOrder>({
    family: 'toxicology',
    entry: order,
    onChanged: (newEntry) => {
      adopt(newEntry);
      onChanged(newEntry);
    },
    reload,
    isDirtyNow: record.isDirtyNow,
    showConflict,
  });

  const unusual = useQuestions({
    list: () => listQuestions(order, normalize(form.getValues())),
    confirm: (question) =>
      form.setValue(getFieldName(question, 'confirmed'), 'yes', { shouldDirty: true }),
    submit: () => void record.submit(),
  });

  const { hasUnsaved, isInConflict, canSave } = record;
  return {
    order,
    values: values as Values,
    /** The portal's message for each rejected field. */
    fieldErrors: Object.fromEntries<string>(
      Object.entries(errors).map(([field, error]) => [field, error?.message ?? '']),
    ),
    rejectedSave,
    notices: record.notices,
    hasUnsaved,
    isInConflict,
    canSave,
    canRelease: !hasUnsaved && !isInConflict,
    isSaving: record.isSaving,
    isReleasing: releaseWrite.isRunning,
    type: (field: string, value: string) => {
      form.clearErrors(field);
      form.setValue(field, value, { shouldDirty: true });
      const confirmedField = findConfirmedField(field);
      if (confirmedField !== null) form.setValue(confirmedField, '', { shouldDirty: true });
    },
    questions: unusual.questions,
    answer: unusual.answer,
    save: () => {
      if (canSave) unusual.saveOrAsk();
    },
    release: () => releaseWrite.run(order),
    ...testActs,
  };
}
