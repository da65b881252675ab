import { useRecordForm } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, ReportKind } from '../../../contract';
import { releaseReport, saveReport, type PathologyEntryOrder } from './api';
import { closedOrder } from '../entryConflict';
import { explainLateAct } from '../explainLateAct';
import { useTestActing } from '../useTestActing';
import { findTest, labels, schema, toBody, toValues, type ReportValues } from './reportForm';

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
    getLabel: (field) => labels[field as keyof ReportValues],
  });
  const { record: entry = options.entry, adopt, showConflict } = record;

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
    explain,
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

  const hasUnsaved = record.isDirty || record.isUnconfirmed;
  const canSave = hasUnsaved && !record.isInConflict && !record.isSaving;
  return {
    entry,
    form: record.form,
    notices: record.notices,
    hasUnsaved,
    isSaving: record.isSaving,
    isReleasing: releaseWrite.isRunning,
    isWithdrawing: withdrawWrite.isRunning,
    isInConflict: record.isInConflict,
    canSave,
    canAct: !hasUnsaved && !record.isInConflict,
    save: () => {
      if (canSave) void record.submit();
    },
    release: () => releaseWrite.run(entry),
    withdraw: () => withdrawWrite.run(entry),
    ...testActs,
  };
}
