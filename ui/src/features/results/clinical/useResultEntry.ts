import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ApiError, describeError } from '../../../api';
import type { RejectedSave } from '../../../components/forms/recordForm';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, say } from '../../../contract';
import {
  saveResults,
  sendResultAct,
  type AutoverifiedResult,
  type ResultAct,
  type ResultEntry,
} from './api';
import { findConfirmedField, type Question } from '../bounds';
import { describeTestAct } from '../testActs';
import { closedOrder } from '../entryConflict';
import { explainLateAct } from '../explainLateAct';
import { useQuestions } from '../useQuestions';
import { describeAutoverified } from './autoverified';
import { splitByRelease } from './releasing';
import { askAboutResult } from './resultCheck';
import { useLivePrevious } from './useLivePrevious';
import {
  compareResults,
  computeReported,
  describeField,
  listEdits,
  findErrorField,
  getFieldName,
  trimValues,
  toFormValues,
  type Values,
} from './typedResults';

type Rejection = RejectedSave<Values, ResultEntry>;

const schema = z.record(z.string(), z.string());
const SIGNED_OUT = 401;

const findField = (wire: string, { typedValues, record }: Rejection): string | null =>
  record === undefined ? null : findErrorField(wire, listEdits(record, typedValues));

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

/** Lists the questions about implausible values that are typed and not confirmed yet. */
function listQuestions(order: ResultEntry, values: Values): Question[] {
  return listEdits(order, values).flatMap(({ orderTestId, result, isConfirmed }) => {
    const row = order.rows.find((candidate) => candidate.orderTestId === orderTestId);
    const text =
      row && result && !isConfirmed ? askAboutResult(row, computeReported(row, values)) : null;
    return text === null ? [] : [{ orderTestId, text }];
  });
}

function describeAct(act: ResultAct): string {
  if (act.path === 'release') return messages.RESULTS_RELEASED;
  return act.path === 'verify' ? messages.RESULTS_VERIFIED : describeTestAct(act);
}

/** Says who released results since `before`; null if nobody did. */
function describeRelease(before: ResultEntry, latest: ResultEntry): string | null {
  const waitingIds = new Set(
    splitByRelease(before).enteredRows.map(({ orderTestId }) => orderTestId),
  );
  const remainingIds = new Set(
    splitByRelease(latest).enteredRows.map(({ orderTestId }) => orderTestId),
  );
  const releasedRow = latest.rows.find(
    ({ orderTestId, releasedBy }) =>
      releasedBy !== null && waitingIds.has(orderTestId) && !remainingIds.has(orderTestId),
  );
  return releasedRow ? say(messages.RELEASED_FIRST, { name: releasedRow.releasedBy ?? '' }) : null;
}

interface ActOnOrder {
  orderId: number;
  version: number;
  act: ResultAct;
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
  // A new object for each rejected save, so that each one moves the focus to its first field.
  const [rejectedSave, setRejectedSave] = useState<Rejection | null>(null);
  const [autoverifiedResults, setAutoverified] = useState<readonly AutoverifiedResult[]>([]);
  const reloadOrder = async () => {
    const latest = await reload();
    onChanged(latest);
    return latest;
  };
  const record = useRecordForm<Values, ResultEntry>({
    schema,
    mustChoose: true,
    defaults: {},
    record: entry,
    toValues: toFormValues,
    save: (values, context, order = entry) =>
      saveResults(order.orderId, listEdits(order, values), { ...context, version: order.version }),
    reload: reloadOrder,
    onSaved: (newEntry) => {
      onChanged(newEntry);
      // A server of the previous release does not send it.
      const judgedResults =
        (newEntry.autoverified as ResultEntry['autoverified'] | undefined) ?? [];
      setAutoverified(judgedResults);
      const { releasedText } = describeAutoverified(judgedResults);
      toasts.success([messages.RESULTS_SAVED, ...(releasedText === null ? [] : [releasedText])]);
    },
    normalize: trimValues,
    ...closedOrder,
    compare: compareResults,
    getLabel: (field) => describeField(entry, field),
    findField,
    explain: (error, rejection) => {
      setRejectedSave(rejection);
      return explain(error, rejection);
    },
  });
  const { form, adopt, showConflict } = record;
  const order = useLivePrevious(record.record ?? entry, reload);
  const values = useWatch({ control: form.control });
  const { errors } = form.formState;

  const actWrite = useWrite({
    send: ({ orderId, version, act }: ActOnOrder, idempotencyKey) =>
      sendResultAct(orderId, act, { version, idempotencyKey }),
    identify: (body) => body,
    onDone: (newEntry, { act }) => {
      adopt(newEntry);
      onChanged(newEntry);
      setAutoverified([]);
      const { remainingText } = splitByRelease(newEntry);
      const sentences = [describeAct(act)];
      if (act.path === 'release' && remainingText !== null) sentences.push(remainingText);
      toasts.success(sentences);
    },
    explain: (error) => {
      return explainLateAct(error, {
        reload: reloadOrder,
        isDirtyNow: record.isDirtyNow,
        showConflict,
        describe: (latest) => describeRelease(order, latest),
      });
    },
  });

  const unusual = useQuestions({
    list: () => listQuestions(order, trimValues(form.getValues())),
    confirm: (question) =>
      form.setValue(getFieldName(question, 'confirmed'), 'yes', { shouldDirty: true }),
    submit: () => void record.submit(),
  });
  const { hasUnsaved, isInConflict, canSave } = record;
  return {
    order,
    values: values as Values,
    /** The portal's message for each rejected field. */
    fieldErrors: Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, error?.message ?? '']),
    ),
    rejectedSave,
    notices: record.notices,
    /** The outcome of autoverification for the last save. */
    autoverified: autoverifiedResults,
    closeAutoverified: () => setAutoverified([]),
    isInConflict,
    canSave,
    canRelease: !hasUnsaved && !isInConflict,
    isSaving: record.isSaving,
    isActing: actWrite.isRunning,
    hasUnsaved,
    questions: unusual.questions,
    answer: unusual.answer,
    type: (field: string, value: string) => {
      form.clearErrors(field);
      form.setValue(field, value, { shouldDirty: true });
      const confirmedField = findConfirmedField(field);
      if (confirmedField !== null) form.setValue(confirmedField, '', { shouldDirty: true });
    },
    save: () => {
      if (canSave) unusual.saveOrAsk();
    },
    act: (act: ResultAct) => actWrite.run({ orderId: order.orderId, version: order.version, act }),
  };
}
