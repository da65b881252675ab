import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';

import { describeError, type ApiError } from '../../../api';
import { buildTableOptions } from '../../../components/forms/fieldTable';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { toasts } from '../../../components/toasts';
import { useDebounced } from '../../../components/useDebounced';
import { useWrite } from '../../../components/useWrite';
import { CultureStage, messages } from '../../../contract';
import {
  cultureCheckQuery,
  releaseCulture,
  saveCulture,
  type MicrobiologyEntryOrder,
  type MicrobiologyLists,
} from './api';
import { closedOrder } from '../entryConflict';
import { explainLateAct } from '../explainLateAct';
import { useTestActing } from '../useTestActing';
import { buildFields, findTest, schema, toBody, toValues, type CultureValues } from './cultureForm';

const CHECK_MS = 300;

interface CultureEntryOptions {
  lists: MicrobiologyLists;
  entry: MicrobiologyEntryOrder;
  orderTestId: number;
  onChanged: (entry: MicrobiologyEntryOrder) => void;
  reload: () => Promise<MicrobiologyEntryOrder>;
}

/** Typing, checking, saving, and releasing the culture of one test. */
export function useCultureEntry({
  lists,
  orderTestId,
  onChanged,
  ...options
}: CultureEntryOptions) {
  // A new object for each rejected save, so that each one moves the focus to its first field.
  const [rejectedSave, setRejectedSave] = useState<Pick<ApiError, 'errors'> | null>(null);
  const reload = async () => {
    const latest = await options.reload();
    onChanged(latest);
    return latest;
  };
  const record = useRecordForm<CultureValues, MicrobiologyEntryOrder>({
    schema,
    mustChoose: true,
    defaults: toValues(undefined),
    record: options.entry,
    toValues: (entry) => toValues(findTest(entry, orderTestId)),
    save: (values, context, entry = options.entry) =>
      saveCulture(entry.orderId, orderTestId, toBody(values), {
        ...context,
        version: entry.version,
      }),
    reload,
    onSaved: (newEntry) => {
      onChanged(newEntry);
      toasts.success(messages.CULTURE_SAVED);
    },
    explain: (error) => {
      if (error.errors.length === 0) return null;
      setRejectedSave({ errors: error.errors });
      return describeError(error);
    },
    ...closedOrder,
    ...buildTableOptions<CultureValues>(buildFields(lists)),
  });
  const { record: entry = options.entry, adopt, showConflict, form } = record;
  const values = useWatch({ control: form.control }) as CultureValues;
  const checkedValues = useDebounced(values, CHECK_MS);
  const check = useQuery({
    ...cultureCheckQuery(entry.orderId, orderTestId, toBody(checkedValues)),
    enabled: record.isDirty && entry.canEnterResults.allowed,
    placeholderData: (previous) => previous,
  });

  const releaseWrite = useWrite({
    send: (
      { order, stage }: { order: MicrobiologyEntryOrder; stage: CultureStage },
      idempotencyKey,
    ) =>
      releaseCulture(order.orderId, orderTestId, stage, {
        version: order.version,
        idempotencyKey,
      }),
    identify: ({ order, stage }) => ({ orderId: order.orderId, version: order.version, stage }),
    onDone: (newEntry, { stage }) => {
      adopt(newEntry);
      onChanged(newEntry);
      toasts.success(
        stage === CultureStage.FINAL
          ? messages.CULTURE_RELEASED_FINAL
          : messages.CULTURE_RELEASED_PRELIMINARY,
      );
    },
    explain: (error) => {
      return explainLateAct(error, { reload, isDirtyNow: record.isDirtyNow, showConflict });
    },
  });

  const testActs = useTestActing<MicrobiologyEntryOrder>({
    family: 'microbiology',
    entry,
    onChanged: (newEntry) => {
      adopt(newEntry);
      onChanged(newEntry);
    },
    reload,
    isDirtyNow: record.isDirtyNow,
    showConflict,
  });

  const { hasUnsaved, isInConflict, canSave } = record;
  const test = findTest(entry, orderTestId);
  return {
    entry,
    test,
    form,
    values,
    /** The portal's judgment of the typed culture, or of the stored one without edits. */
    culture: record.isDirty ? (check.data ?? test?.culture) : test?.culture,
    errors: record.isDirty ? (rejectedSave?.errors ?? check.data?.errors ?? []) : [],
    rejectedSave,
    notices: record.notices,
    hasUnsaved,
    isInConflict,
    canSave,
    canRelease: !hasUnsaved && !isInConflict,
    isSaving: record.isSaving,
    isReleasing: releaseWrite.isRunning,
    set: <Name extends keyof CultureValues>(name: Name, value: CultureValues[Name]) => {
      setRejectedSave(null);
      form.clearErrors(name);
      form.setValue(name, value as never, { shouldDirty: true });
    },
    save: () => {
      if (canSave) void record.submit();
    },
    ...testActs,
    release: (stage: CultureStage) => releaseWrite.run({ order: entry, stage }),
  };
}
