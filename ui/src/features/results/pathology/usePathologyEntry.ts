import { useWatch } from 'react-hook-form';

import { ApiError } from '../../../api';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, ReportKind } from '../../../contract';
import { releaseReport, saveReport, type PathologyEntryOrder } from './api';
import { closedOrder } from '../entryConflict';
import { explainLateAct } from '../explainLateAct';
import { useTestActing } from '../useTestActing';
import { fieldOptions, findTest, schema, toBody, toValues, type ReportValues } from './reportForm';

const REASON_FIELDS = ['reasonCode', 'explanation'] as const;

interface PathologyEntryOptions {
  entry: PathologyEntryOrder;
  orderTestId: number;
  onChanged: (entry: PathologyEntryOrder) => void;
  reload: () => Promise<PathologyEntryOrder>;
}

/** Writing, saving, withdrawing, and releasing the report of one test. */
export function usePathologyEntry({ orderTestId, onChanged, ...options }: PathologyEntryOptions) {
  const reload = async () => {
    const latest = await options.reload();
    onChanged(latest);
    return latest;
  };
  const record = useRecordForm<ReportValues, PathologyEntryOrder>({
    schema,
    mustChoose: true,
    defaults: toValues(undefined),
    record: options.entry,
    toValues: (entry) => toValues(findTest(entry, orderTestId)),
    save: (values, context, entry = options.entry) =>
      saveReport(entry.orderId, orderTestId, toBody(values), {
        ...context,
        version: entry.version,
      }),
    reload,
    onSaved: (newEntry) => {
      onChanged(newEntry);
      toasts.success(messages.PATHOLOGY_SAVED);
    },
    ...closedOrder,
    ...fieldOptions,
  });
  const { record: entry = options.entry, adopt, showConflict } = record;

  /** Marks what a release lacks in the fields of the reason; returns whether that is all. */
  const showReasonErrors = (error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.errors.length === 0) return false;
    const marks = error.errors.map(({ field, message }) => ({
      name: REASON_FIELDS.find((name) => field === `tests.${orderTestId}.${name}`),
      message,
    }));
    for (const { name, message } of marks) if (name) record.form.setError(name, { message });
    return marks.every(({ name }) => name !== undefined);
  };
  const explain = (error: unknown): boolean =>
    explainLateAct(error, { reload, isDirtyNow: record.isDirtyNow, showConflict });
  const identify = ({ orderId, version }: PathologyEntryOrder) => ({ orderId, version });
  const finish = (newEntry: PathologyEntryOrder, message: string) => {
    adopt(newEntry);
    onChanged(newEntry);
    toasts.success(message);
  };
  const releaseWrite = useWrite({
    send: ({ orderId, version }: PathologyEntryOrder, idempotencyKey) =>
      releaseReport(orderId, orderTestId, { version, idempotencyKey }),
    identify,
    onDone: (newEntry) => finish(newEntry, messages.PATHOLOGY_RELEASED),
    explain: (error) => showReasonErrors(error) || explain(error),
  });
  const withdrawWrite = useWrite({
    send: ({ orderId, version }: PathologyEntryOrder, idempotencyKey) =>
      saveReport(
        orderId,
        orderTestId,
        { kind: ReportKind.NORMAL, comment: null },
        { version, idempotencyKey },
      ),
    identify,
    onDone: (newEntry) => finish(newEntry, messages.PATHOLOGY_WITHDRAWN),
    explain,
  });

  const testActs = useTestActing<PathologyEntryOrder>({
    family: 'pathology',
    entry,
    onChanged: (newEntry) => {
      adopt(newEntry);
      onChanged(newEntry);
    },
    reload,
    isDirtyNow: record.isDirtyNow,
    showConflict,
  });

  const { hasUnsaved, isInConflict } = record;
  const hasText = useWatch({ control: record.form.control, name: 'comment' }) !== '';
  // Saving a report without text would withdraw it unasked.
  const canSave = record.canSave && hasText;
  return {
    entry,
    form: record.form,
    notices: record.notices,
    hasUnsaved,
    isSaving: record.isSaving,
    isReleasing: releaseWrite.isRunning,
    isWithdrawing: withdrawWrite.isRunning,
    isInConflict,
    canSave,
    hasText,
    /** What is withdrawn needs no text. */
    canWithdraw: !isInConflict && (!hasUnsaved || !hasText),
    canAct: !hasUnsaved && !isInConflict,
    save: () => {
      if (canSave) void record.submit();
    },
    release: () => releaseWrite.run(entry),
    withdraw: () => withdrawWrite.run(entry),
    ...testActs,
  };
}
