import { zodResolver } from '@hookform/resolvers/zod';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useForm, type DefaultValues, type FieldPath, type FieldValues } from 'react-hook-form';

import { ApiError, describeError, mintIdempotencyKey } from '../../api';
import { toasts } from '../toasts';
import { ConflictBanner } from './ConflictBanner';
import { listChangedFields } from '../../lib/merge';
import type { EditBase, RecordForm, RecordFormOptions } from './recordForm';
import {
  createState,
  RecordMachine,
  type Attempt,
  type FormUpdate,
  type VersionedRecord,
} from './recordMachine';
import { isUnconfirmed } from './saveOutcome';
import { useDraftAutosave } from './useDraftAutosave';
import { useUnsavedGuard } from './useUnsavedGuard';

/** Statuses without a sentence in P 8: the calling screen explains them (DECISIONS). */
const EXPLAINED_HERE: readonly number[] = [403, 412, 413, 415, 424, 429];

/**
 * The form of one record: values, validation, server errors, unsaved-changes guard, version, and
 * the save without an answer. After a stale version nothing is lost: the edits are applied to the
 * newer record, and the next save changes that record.
 */
export function useRecordForm<Values extends FieldValues, Saved extends VersionedRecord>(
  options: RecordFormOptions<Values, Saved>,
): RecordForm<Values, Saved> {
  const { record, defaults, toValues } = options;
  const initial = record ? toValues(record) : defaults;
  const form = useForm<Values>({
    resolver: zodResolver(options.schema),
    defaultValues: initial as DefaultValues<Values>,
    mode: 'onTouched',
  });
  const { isDirty } = form.formState;

  const [isSaving, setIsSaving] = useState(false);
  const [machine] = useState(() => new RecordMachine<Values, Saved>(createState(record, initial)));
  const currentRecord = useSyncExternalStore(machine.subscribe, () => machine.getState().record);
  const conflict = useSyncExternalStore(machine.subscribe, () => machine.getState().conflict);
  const unconfirmed = useSyncExternalStore(
    machine.subscribe,
    () => machine.getState().unconfirmedAttempt,
  );
  const pendingSave = useRef<Promise<Saved | null> | null>(null);
  // Moving a new record's form to the record's address loses nothing.
  const isMovingOn = useRef(false);
  // After every render, since `allowNavigation` applies to one navigation only.
  useEffect(() => {
    if (machine.getState().isDirty !== isDirty) machine.send({ type: 'rendered', isDirty });
  });

  const applyUpdate = useCallback(
    (update: FormUpdate<Values> | null) => {
      if (update === null) return;
      if (update.base !== undefined) form.reset(update.base);
      if (update.shownValues !== update.base)
        form.reset(update.shownValues, { keepDefaultValues: true });
    },
    [form],
  );

  const adopt = useCallback(
    (savedRecord: Saved) => {
      applyUpdate(
        machine.send({ type: 'adopted', record: savedRecord, values: toValues(savedRecord) }),
      );
    },
    [applyUpdate, machine, toValues],
  );

  /** Shows the saved record and keeps edits made since it was sent. */
  const adoptSaved = (savedRecord: Saved, sentValues: Values) => {
    const [values, shownValues] = [toValues(savedRecord), form.getValues()];
    applyUpdate(
      machine.send({
        type: 'saved',
        record: savedRecord,
        values,
        sent: sentValues,
        shownValues,
      }),
    );
  };

  /** Applies edits of `before` to the editable fields of a newer record. */
  const rebase = (
    latest: Saved,
    edits: { before: Partial<Values>; mine: Values },
    mode: {
      isAnnounced: boolean;
      isRestored: boolean;
      savedBy: string | null;
      state?: string | null;
    },
  ) => {
    const values = toValues(latest);
    applyUpdate(machine.send({ type: 'rebased', latest, values, ...edits, ...mode, options }));
  };

  /** Merges the edits with somebody else's save and announces the conflict. */
  const showConflict = (
    latest: Saved,
    savedBy: string | null = null,
    state: string | null = null,
  ) => {
    const edits = { before: machine.getState().base, mine: form.getValues() };
    rebase(latest, edits, { isAnnounced: true, isRestored: false, savedBy, state });
  };

  // A background refetch updates a clean form and leaves edits alone, unless the record no longer
  // accepts them: nobody may act on values that differ from the saved ones. An answer requested
  // before a save may be older than that save.
  const followRecord = useEffectEvent((latest: Saved) => {
    const state = machine.getState();
    if (latest.version <= (state.version ?? 0)) return;
    const editedFields = listChangedFields(state.base, form.getValues());
    if (!state.isDirty) adopt(latest);
    else if (editedFields.some((name) => options.isEditable?.(latest, name) === false)) {
      showConflict(latest);
    }
  });
  useEffect(() => {
    if (record) followRecord(record);
  }, [record]);

  const clear = useCallback(
    () => applyUpdate(machine.send({ type: 'cleared', values: defaults })),
    [defaults, applyUpdate, machine],
  );

  const restore = useCallback(
    (values: Values) => applyUpdate(machine.send({ type: 'restored', values })),
    [applyUpdate, machine],
  );

  const restoreEdits = (values: Values, editBase: EditBase<Values>) => {
    const state = machine.getState();
    if (state.record === undefined) return;
    const edits = { before: editBase.base, mine: values };
    rebase(state.record, edits, {
      isAnnounced: editBase.version !== state.version,
      isRestored: true,
      savedBy: null,
    });
  };

  const allowNavigation = useCallback(() => {
    machine.send({ type: 'navigationAllowed' });
  }, [machine]);

  const { onDraft, onDraftObsolete } = options;
  const isDirtyNow = useCallback(() => machine.getState().isDirty, [machine]);
  const storeDraft = useCallback(async () => {
    const values = form.getValues();
    const { base, version } = machine.getState();
    const before: Partial<Values> = {};
    for (const name of listChangedFields(base, values)) before[name] = base[name];
    return (await onDraft?.(values, version, before)) ?? false;
  }, [form, machine, onDraft]);
  const saveDraft = useCallback(() => {
    const { restoredValues } = machine.getState();
    if (restoredValues !== null && listChangedFields(restoredValues, form.getValues()).length === 0)
      return;
    void storeDraft();
  }, [form, machine, storeDraft]);
  useDraftAutosave(form, isDirtyNow, onDraft && saveDraft);

  const handleFailure = async (error: unknown, typedValues: Values): Promise<void> => {
    const showError = options.showError ?? ((sentence: string) => toasts.error(sentence));
    if (!(error instanceof ApiError)) {
      toasts.failure(error);
      return;
    }
    const rejectedSave = { typedValues, record: machine.getState().record };
    if (error.status === 412 && options.reload && rejectedSave.record !== undefined) {
      const latest = await options.reload(rejectedSave.record).catch((failure: unknown) => {
        showError(`${describeError(error)} ${describeError(failure)}`);
        return null;
      });
      if (latest === null) return;
      showConflict(latest, error.updatedBy);
      return;
    }
    const names = Object.keys(form.getValues());
    let hasFocus = false;
    for (const { field, message } of error.errors) {
      const name = options.findField?.(field, rejectedSave) ?? field;
      if (!names.includes(name.split('.')[0] ?? '')) continue;
      form.setError(
        name as FieldPath<Values>,
        { type: 'server', message },
        { shouldFocus: !hasFocus },
      );
      hasFocus = true;
    }
    const explanation = options.explain?.(error, rejectedSave) ?? null;
    if (explanation !== null) showError(explanation);
    else if (EXPLAINED_HERE.includes(error.status)) showError(describeError(error));
    else toasts.failure(error);
  };

  const send = async (attempt: Attempt<Values, Saved>): Promise<Saved> => {
    setIsSaving(true);
    const isNew = machine.getState().record === undefined;
    let savedRecord: Saved;
    try {
      savedRecord = await attempt.send();
    } catch (error) {
      machine.send(isUnconfirmed(error) ? { type: 'unanswered', attempt } : { type: 'rejected' });
      throw error;
    }
    adoptSaved(savedRecord, attempt.typedValues);
    onDraftObsolete?.();
    if (isNew && options.onCreated) {
      allowNavigation();
      isMovingOn.current = true;
      options.onCreated(savedRecord);
      isMovingOn.current = false;
    }
    return savedRecord;
  };

  /** Validates the form and saves it. */
  const saveForm = async (): Promise<Saved | null> => {
    let outcome: Saved | null = null;
    const typedValues = form.getValues();
    await form.handleSubmit(async (values) => {
      const { record: before, version } = machine.getState();
      const context = { idempotencyKey: mintIdempotencyKey(), version };
      try {
        outcome = await send({
          typedValues,
          send: () => options.save(values, context, before),
        });
      } catch (error) {
        await handleFailure(error, typedValues);
      }
    })();
    return outcome;
  };

  /** First repeats a save that got no answer, once, then saves any later edits. */
  const save = async (): Promise<Saved | null> => {
    const { unconfirmedAttempt } = machine.getState();
    if (unconfirmedAttempt === null) return saveForm();
    try {
      const savedRecord = await send(unconfirmedAttempt);
      if (listChangedFields(machine.getState().base, form.getValues()).length === 0)
        return savedRecord;
    } catch (error) {
      if (machine.getState().unconfirmedAttempt === unconfirmedAttempt) {
        await handleFailure(error, unconfirmedAttempt.typedValues);
        return null;
      }
      // The attempt was rejected, so nothing was saved: save the current values instead.
    }
    return saveForm();
  };

  const saveAll = async (): Promise<Saved | null> => {
    const savedRecord = await save();
    if (savedRecord !== null) options.onSaved?.(savedRecord);
    return savedRecord;
  };

  // Calling it again during a save returns the same save.
  const submit = (): Promise<Saved | null> => {
    pendingSave.current ??= saveAll().finally(() => {
      pendingSave.current = null;
      setIsSaving(false);
    });
    return pendingSave.current;
  };

  const finishSave = async () =>
    pendingSave.current === null || (await pendingSave.current) !== null;

  const { hasUnsent } = options;
  const losesMore = useCallback(() => !isMovingOn.current && hasUnsent?.() === true, [hasUnsent]);
  const guard = useUnsavedGuard(isDirtyNow, onDraftObsolete, losesMore);
  const notices = (
    <>
      {conflict === null ? null : (
        <ConflictBanner
          key={conflict.latest.version}
          adoptedFields={conflict.adopted}
          contestedFields={conflict.contested}
          comparisons={conflict.comparisons}
          droppedEdits={conflict.dropped}
          state={conflict.state}
          savedBy={conflict.savedBy}
          isFromDraft={conflict.isFromDraft}
          own={conflict.own}
          hasOwnChanges={conflict.hasOwnChanges}
          mustChoose={options.mustChoose === true}
          onUseNewer={() => {
            adopt(conflict.latest);
            onDraftObsolete?.();
          }}
          onKeepMine={() => machine.send({ type: 'keptMine' })}
        />
      )}
      {guard}
    </>
  );

  const hasUnsaved = isDirty || unconfirmed !== null;
  const isInConflict = conflict !== null;
  return {
    form,
    record: currentRecord,
    submit,
    isSaving,
    finishSave,
    isDirty,
    isUnconfirmed: unconfirmed !== null,
    hasUnsaved,
    isInConflict,
    canSave: hasUnsaved && !isInConflict && !isSaving,
    isDirtyNow,
    showConflict,
    adopt,
    clear,
    allowNavigation,
    storeDraft,
    restore,
    restoreEdits,
    notices,
  };
}
