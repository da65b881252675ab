import { zodResolver } from '@hookform/resolvers/zod';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactElement,
} from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type { z } from 'zod';

import { ApiError, describe, newIdempotencyKey } from '../../api';
import { toasts } from '../toasts';
import { ConflictBanner } from './ConflictBanner';
import type { ConflictOptions } from './conflict';
import { changedFields } from '../../lib/merge';
import { begin, RecordMachine, type Attempt, type Fill, type Versioned } from './recordMachine';
import { isUnconfirmed } from './unconfirmed';
import { useDraftKeeping } from './useDraftKeeping';
import { useUnsavedGuard } from './useUnsavedGuard';

/** What a save must send along: `Idempotency-Key` and `If-Match`. */
export interface SaveContext {
  idempotencyKey: string;
  version: number | undefined;
}

interface RecordFormOptions<
  Values extends FieldValues,
  Saved extends Versioned,
> extends ConflictOptions<Values, Saved> {
  schema: z.ZodType<Values, Values>;
  /** Values of a blank form. */
  defaults: Values;
  /** The record being edited; absent for a new one. */
  record?: Saved | undefined;
  toValues: (record: Saved) => Values;
  /** Saves a new record, or changes `record` as it was read or saved last. */
  save: (values: Values, context: SaveContext, record: Saved | undefined) => Promise<Saved>;
  /** Reads the record again after a 412. */
  reload?: ((record: Saved) => Promise<Saved>) | undefined;
  /** All that the form held is saved. */
  onSaved?: ((record: Saved) => void) | undefined;
  /** A new record exists: the form goes on at its address, with what was typed since it was sent. */
  onCreated?: ((record: Saved) => void) | undefined;
  /** The form's field for a field of the wire, where the names differ. */
  fieldOf?: ((wireField: string, refused: Refused<Values, Saved>) => string | null) | undefined;
  /** Sentences for failures that this screen explains itself; null leaves it to the kit. */
  explain?: ((error: ApiError, refused: Refused<Values, Saved>) => string | null) | undefined;
  /** Shows the sentence of a failure; without it, that is a toast. */
  tell?: ((sentence: string) => void) | undefined;
  /**
   * Called a moment after the last change with unsaved values, the version that they were made
   * for and what the changed fields were in it: the place to keep a draft.
   */
  onDraft?:
    ((values: Values, version: number | undefined, base: Partial<Values>) => void) | undefined;
  /** The unsaved values are no longer wanted: saved, or knowingly left behind. */
  onDraftObsolete?: (() => void) | undefined;
}

/** What a save that was refused had sent, and the record that it was to change. */
export interface Refused<Values, Saved> {
  typed: Values;
  record: Saved | undefined;
}

export interface RecordForm<Values extends FieldValues, Saved extends Versioned> {
  form: UseFormReturn<Values>;
  /** The record as it was read or saved last; none of a new one. */
  record: Saved | undefined;
  /** Validates and saves; answers the saved record, or null when it did not come to that. */
  submit: () => Promise<Saved | null>;
  saving: boolean;
  /**
   * Waits for the save that is under way, if any: false when it came to nothing. Whoever acts on
   * what was saved asks for it.
   */
  finishSave: () => Promise<boolean>;
  isDirty: boolean;
  /** A save got no answer: it may have been made, and is sent again by the next one. */
  isUnconfirmed: boolean;
  /** Somebody else saved first, and the person has not decided yet. */
  isInConflict: boolean;
  /** The same at this moment, for after a wait. */
  isDirtyNow: () => boolean;
  /** Somebody else saved `latest`: the edits go on top of it, and the person is told. */
  showConflict: (latest: Saved) => void;
  /** Adopts a record that another action has changed (sign, cancel), keeping no edits. */
  adopt: (record: Saved) => void;
  /** Back to a blank form. */
  clear: () => void;
  /** The next navigation may leave the unsaved values: the person has been asked already. */
  allowNavigation: () => void;
  /** Puts unsaved values into a blank form. */
  restore: (values: Values) => void;
  /** Puts unsaved edits of the record back, on top of what it is now. */
  resume: (values: Values, madeOn: MadeOn<Values>) => void;
  /** The conflict banner and the unsaved-changes question; render it once in the form. */
  notices: ReactElement;
}

/** What edits were made on: a version, unless none was known, and its fields as far as they are. */
interface MadeOn<Values> {
  version: number | undefined;
  base: Partial<Values>;
}

/** Refusals that have no sentence in P 8: the screen that asked says them (DECISIONS). */
const SAID_HERE: readonly number[] = [403, 412, 413, 415, 424, 429];

/**
 * One record's form: values and rules, the server's field errors, the unsaved-changes guard, the
 * version it was read at and the save that got no answer. A stale version loses nothing of either:
 * the person's edits are put on top of the newer record, and the next save goes on top of it.
 */
export function useRecordForm<Values extends FieldValues, Saved extends Versioned>(
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

  const [saving, setSaving] = useState(false);
  const [machine] = useState(() => new RecordMachine<Values, Saved>(begin(record, initial)));
  const known = useSyncExternalStore(machine.subscribe, () => machine.state().record);
  const conflict = useSyncExternalStore(machine.subscribe, () => machine.state().conflict);
  const unconfirmed = useSyncExternalStore(machine.subscribe, () => machine.state().unconfirmed);
  const running = useRef<Promise<Saved | null> | null>(null);
  // After every drawing: what `allowNavigation` says holds for one navigation.
  useEffect(() => {
    if (machine.state().isDirty !== isDirty) machine.send({ type: 'drawn', isDirty });
  });

  const fill = useCallback(
    (now: Fill<Values> | null) => {
      if (now === null) return;
      if (now.base !== undefined) form.reset(now.base);
      if (now.shown !== now.base) form.reset(now.shown, { keepDefaultValues: true });
    },
    [form],
  );

  const adopt = useCallback(
    (saved: Saved) => {
      fill(machine.send({ type: 'adopted', record: saved, values: toValues(saved) }));
    },
    [fill, machine, toValues],
  );

  /** Takes over what was saved, but for what was typed since it was sent. */
  const adoptSaved = (saved: Saved, sent: Values) => {
    const [values, shown] = [toValues(saved), form.getValues()];
    fill(machine.send({ type: 'saved', record: saved, values, sent, shown }));
  };

  /** Puts edits of `before` on top of a newer record, as far as that takes them. */
  const rebase = (
    latest: Saved,
    edits: { before: Partial<Values>; mine: Values },
    how: { isTold: boolean; isRestored: boolean },
  ) => {
    const values = toValues(latest);
    fill(machine.send({ type: 'rebased', latest, values, ...edits, ...how, rules: options }));
  };

  /** Somebody else saved: both keep what they changed, and this person is told. */
  const showConflict = (latest: Saved) => {
    const edits = { before: machine.state().base, mine: form.getValues() };
    rebase(latest, edits, { isTold: true, isRestored: false });
  };

  // A background refetch moves a clean form forward and leaves edits alone, unless the record does
  // not take them any more: nobody may act on values that are not the saved ones. An answer that
  // was under way before a save may be older than what was saved.
  const moveOn = useEffectEvent((latest: Saved) => {
    const now = machine.state();
    if (latest.version <= (now.version ?? 0)) return;
    const edited = changedFields(now.base, form.getValues());
    if (!now.isDirty) adopt(latest);
    else if (edited.some((name) => options.editable?.(latest, name) === false)) {
      showConflict(latest);
    }
  });
  useEffect(() => {
    if (record) moveOn(record);
  }, [record]);

  const clear = useCallback(
    () => fill(machine.send({ type: 'cleared', values: defaults })),
    [defaults, fill, machine],
  );

  const restore = useCallback(
    (values: Values) => fill(machine.send({ type: 'restored', values })),
    [fill, machine],
  );

  const resume = (values: Values, madeOn: MadeOn<Values>) => {
    const now = machine.state();
    if (now.record === undefined) return;
    const edits = { before: madeOn.base, mine: values };
    rebase(now.record, edits, { isTold: madeOn.version !== now.version, isRestored: true });
  };

  const allowNavigation = useCallback(() => {
    machine.send({ type: 'navigationAllowed' });
  }, [machine]);

  const { onDraft, onDraftObsolete } = options;
  const isDirtyNow = useCallback(() => machine.state().isDirty, [machine]);
  const keepDraft = useCallback(() => {
    const values = form.getValues();
    const { base, restored, version } = machine.state();
    if (restored !== null && changedFields(restored, values).length === 0) return;
    const before: Partial<Values> = {};
    for (const name of changedFields(base, values)) before[name] = base[name];
    onDraft?.(values, version, before);
  }, [form, machine, onDraft]);
  useDraftKeeping(form, isDirtyNow, onDraft && keepDraft);

  const failed = async (error: unknown, typed: Values): Promise<void> => {
    const tell = options.tell ?? ((sentence: string) => toasts.error(sentence));
    if (!(error instanceof ApiError)) {
      toasts.failure(error);
      return;
    }
    const refused = { typed, record: machine.state().record };
    if (error.status === 412 && options.reload && refused.record !== undefined) {
      const latest = await options.reload(refused.record).catch((failure: unknown) => {
        tell(`${describe(error)} ${describe(failure)}`);
        return null;
      });
      if (latest === null) return;
      showConflict(latest);
      return;
    }
    const names = Object.keys(form.getValues());
    let focused = false;
    for (const { field, message } of error.errors) {
      const name = options.fieldOf?.(field, refused) ?? field;
      if (!names.includes(name.split('.')[0] ?? '')) continue;
      form.setError(
        name as FieldPath<Values>,
        { type: 'server', message },
        { shouldFocus: !focused },
      );
      focused = true;
    }
    const own = options.explain?.(error, refused) ?? null;
    if (own !== null) tell(own);
    else if (SAID_HERE.includes(error.status)) tell(describe(error));
    else toasts.failure(error);
  };

  const send = async (attempt: Attempt<Values, Saved>): Promise<Saved> => {
    setSaving(true);
    const isNew = machine.state().record === undefined;
    let saved: Saved;
    try {
      saved = await attempt.send();
    } catch (error) {
      machine.send(isUnconfirmed(error) ? { type: 'unanswered', attempt } : { type: 'refused' });
      throw error;
    }
    adoptSaved(saved, attempt.typed);
    onDraftObsolete?.();
    if (isNew && options.onCreated) {
      allowNavigation();
      options.onCreated(saved);
    }
    return saved;
  };

  /** Checks what the form holds, and saves it. */
  const saveForm = async (): Promise<Saved | null> => {
    let outcome: Saved | null = null;
    const typed = form.getValues();
    await form.handleSubmit(async (values) => {
      const { record: before, version } = machine.state();
      const context = { idempotencyKey: newIdempotencyKey(), version };
      try {
        outcome = await send({ typed, send: () => options.save(values, context, before) });
      } catch (error) {
        await failed(error, typed);
      }
    })();
    return outcome;
  };

  /** A save that got no answer is made first, once; what was changed since then goes on top. */
  const save = async (): Promise<Saved | null> => {
    const { unconfirmed: lost } = machine.state();
    if (lost === null) return saveForm();
    try {
      const saved = await send(lost);
      if (changedFields(machine.state().base, form.getValues()).length === 0) return saved;
    } catch (error) {
      if (machine.state().unconfirmed === lost) {
        await failed(error, lost.typed);
        return null;
      }
      // It was refused, so nothing was saved: what the form holds now is a save of its own.
    }
    return saveForm();
  };

  const saveAll = async (): Promise<Saved | null> => {
    const saved = await save();
    if (saved !== null) options.onSaved?.(saved);
    return saved;
  };

  // Asked for twice, it is one save, and both hear what came of it.
  const submit = (): Promise<Saved | null> => {
    running.current ??= saveAll().finally(() => {
      running.current = null;
      setSaving(false);
    });
    return running.current;
  };

  const finishSave = async () => running.current === null || (await running.current) !== null;

  const guard = useUnsavedGuard(isDirtyNow, onDraftObsolete);
  const notices = (
    <>
      {conflict === null ? null : (
        <ConflictBanner
          key={conflict.latest.version}
          adopted={conflict.adopted}
          contested={conflict.contested}
          compared={conflict.compared}
          dropped={conflict.dropped}
          state={conflict.state}
          someMine={conflict.someMine}
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

  return {
    form,
    record: known,
    submit,
    saving,
    finishSave,
    isDirty,
    isUnconfirmed: unconfirmed !== null,
    isInConflict: conflict !== null,
    isDirtyNow,
    showConflict,
    adopt,
    clear,
    allowNavigation,
    restore,
    resume,
    notices,
  };
}
