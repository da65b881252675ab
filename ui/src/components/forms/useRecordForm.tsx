import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback, useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react';
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
import { conflictOf, type Conflict, type ConflictOptions } from './conflict';
import { changedFields, merge } from '../../lib/merge';
import { isUnheard } from './unheard';
import { useDraftKeeping } from './useDraftKeeping';
import { useUnsavedGuard } from './useUnsavedGuard';

export interface Versioned {
  version: number;
}

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
  fieldOf?: ((wireField: string) => FieldPath<Values> | null) | undefined;
  /** Sentences for failures that this screen explains itself; null leaves it to the kit. */
  explain?: ((error: ApiError) => string | null) | undefined;
  /**
   * Called a moment after the last change with unsaved values, the version that they were made
   * for and what the changed fields were in it: the place to keep a draft.
   */
  onDraft?:
    ((values: Values, version: number | undefined, base: Partial<Values>) => void) | undefined;
  /** The unsaved values are no longer wanted: saved, or knowingly left behind. */
  onSettled?: (() => void) | undefined;
}

export interface RecordForm<Values extends FieldValues, Saved extends Versioned> {
  form: UseFormReturn<Values>;
  /** Validates and saves; answers the saved record, or null when it did not come to that. */
  submit: () => Promise<Saved | null>;
  saving: boolean;
  /**
   * Ends the save that is under way, if any: false when it came to nothing. Whoever acts on what
   * was saved waits for it.
   */
  settled: () => Promise<boolean>;
  isDirty: boolean;
  /** The same at this moment, for after a wait. */
  isDirtyNow: () => boolean;
  /** Adopts a record that another action has changed (sign, cancel), keeping no edits. */
  adopt: (record: Saved) => void;
  /** Back to a blank form. */
  clear: () => void;
  /** The next navigation may leave the unsaved values: the person has been asked already. */
  letGo: () => void;
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

/** A save as it was first sent: sent again, it is the same under the same key, and made once. */
interface Attempt<Values, Saved> {
  /** What the form showed. */
  typed: Values;
  send: () => Promise<Saved>;
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
  const [conflict, setConflict] = useState<Conflict<Values, Saved> | null>(null);
  // The record that `base` is of.
  const known = useRef(record);
  const base = useRef<Values>(initial);
  const version = useRef(record?.version);
  const running = useRef<Promise<Saved | null> | null>(null);
  /** The save to which no answer came: it may have been made. */
  const unheard = useRef<Attempt<Values, Saved> | null>(null);
  // Unsaved values that came from the portal, a copy or a draft: untouched they are no draft.
  const putIn = useRef<Values | null>(null);
  const dirty = useRef(false);
  // After every drawing: what `letGo` says holds for one navigation.
  useEffect(() => {
    dirty.current = isDirty;
  });

  const adopt = useCallback(
    (saved: Saved) => {
      known.current = saved;
      base.current = toValues(saved);
      version.current = saved.version;
      unheard.current = null;
      putIn.current = null;
      dirty.current = false;
      setConflict(null);
      form.reset(base.current);
    },
    [form, toValues],
  );

  /** Takes over what was saved, but for what was typed since it was sent. */
  const adoptSaved = (saved: Saved, sent: Values) => {
    const now = form.getValues();
    adopt(saved);
    if (changedFields(sent, now).length === 0) return;
    form.reset(merge(sent, now, base.current).values, { keepDefaultValues: true });
    dirty.current = true;
  };

  /** Puts edits of `before` on top of a newer record, as far as that takes them. */
  const putOn = (latest: Saved, before: Partial<Values>, mine: Values): Conflict<Values, Saved> => {
    const newer = toValues(latest);
    const found = conflictOf(known.current, latest, { before, mine, newer }, options);
    known.current = latest;
    base.current = newer;
    version.current = latest.version;
    unheard.current = null;
    dirty.current = found.someMine;
    form.reset(newer);
    form.reset(found.values, { keepDefaultValues: true });
    return found;
  };

  /** Somebody else saved: both keep what they changed, and this person is told. */
  const meet = (latest: Saved) => {
    const found = putOn(latest, base.current, form.getValues());
    // Told once of each version.
    setConflict((now) => (now?.latest.version === latest.version ? now : found));
  };

  // A background refetch moves a clean form forward and leaves edits alone, unless the record does
  // not take them any more: nobody may act on values that are not the saved ones. An answer that
  // was under way before a save may be older than what was saved.
  const moveOn = useEffectEvent((latest: Saved) => {
    if (latest.version <= (version.current ?? 0)) return;
    const edited = changedFields(base.current, form.getValues());
    if (!dirty.current) adopt(latest);
    else if (edited.some((name) => options.editable?.(latest, name) === false)) meet(latest);
  });
  useEffect(() => {
    if (record) moveOn(record);
  }, [record]);

  const clear = useCallback(() => {
    known.current = undefined;
    base.current = defaults;
    version.current = undefined;
    unheard.current = null;
    dirty.current = false;
    setConflict(null);
    form.reset(defaults);
  }, [defaults, form]);

  const restore = useCallback(
    (values: Values) => {
      putIn.current = values;
      unheard.current = null;
      form.reset(values, { keepDefaultValues: true });
    },
    [form],
  );

  const resume = (values: Values, madeOn: MadeOn<Values>) => {
    if (known.current === undefined) return;
    const isOlder = madeOn.version !== version.current;
    const found = putOn(known.current, madeOn.base, values);
    putIn.current = found.values;
    if (isOlder) setConflict(found);
  };

  const letGo = useCallback(() => {
    dirty.current = false;
  }, []);

  const { onDraft, onSettled } = options;
  const isDirtyNow = useCallback(() => dirty.current, []);
  const keepDraft = useCallback(() => {
    const values = form.getValues();
    if (putIn.current !== null && changedFields(putIn.current, values).length === 0) return;
    const before: Partial<Values> = {};
    for (const name of changedFields(base.current, values)) before[name] = base.current[name];
    onDraft?.(values, version.current, before);
  }, [form, onDraft]);
  useDraftKeeping(form, isDirtyNow, onDraft && keepDraft);

  const failed = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError)) {
      toasts.failure(error);
      return;
    }
    if (error.status === 412 && options.reload && known.current !== undefined) {
      const latest = await options.reload(known.current).catch((failure: unknown) => {
        toasts.error(`${describe(error)} ${describe(failure)}`);
        return null;
      });
      if (latest === null) return;
      meet(latest);
      return;
    }
    const names = Object.keys(form.getValues());
    let focused = false;
    for (const { field, message } of error.errors) {
      const name = options.fieldOf?.(field) ?? field;
      if (!names.includes(name.split('.')[0] ?? '')) continue;
      form.setError(
        name as FieldPath<Values>,
        { type: 'server', message },
        { shouldFocus: !focused },
      );
      focused = true;
    }
    const own = options.explain?.(error) ?? null;
    if (own !== null) toasts.error(own);
    else if (SAID_HERE.includes(error.status)) toasts.error(describe(error));
    else toasts.failure(error);
  };

  const send = async (attempt: Attempt<Values, Saved>): Promise<Saved> => {
    setSaving(true);
    const isNew = known.current === undefined;
    let saved: Saved;
    try {
      saved = await attempt.send();
    } catch (error) {
      unheard.current = isUnheard(error) ? attempt : null;
      throw error;
    }
    adoptSaved(saved, attempt.typed);
    onSettled?.();
    if (isNew && options.onCreated) {
      dirty.current = false;
      options.onCreated(saved);
    }
    return saved;
  };

  /** Checks what the form holds, and saves it. */
  const saveForm = async (): Promise<Saved | null> => {
    let outcome: Saved | null = null;
    const typed = form.getValues();
    await form.handleSubmit(async (values) => {
      const context = { idempotencyKey: newIdempotencyKey(), version: version.current };
      const before = known.current;
      try {
        outcome = await send({ typed, send: () => options.save(values, context, before) });
      } catch (error) {
        await failed(error);
      }
    })();
    return outcome;
  };

  /** A save that got no answer is made first, once; what was changed since then goes on top. */
  const save = async (): Promise<Saved | null> => {
    const lost = unheard.current;
    if (lost === null) return saveForm();
    try {
      const saved = await send(lost);
      if (changedFields(base.current, form.getValues()).length === 0) return saved;
    } catch (error) {
      if (unheard.current === lost) {
        await failed(error);
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

  const settled = async () => running.current === null || (await running.current) !== null;

  const guard = useUnsavedGuard(isDirtyNow, onSettled);
  const notices = (
    <>
      {conflict === null ? null : (
        <ConflictBanner
          key={conflict.latest.version}
          taken={conflict.taken}
          contested={conflict.contested}
          compared={conflict.compared}
          dropped={conflict.dropped}
          state={conflict.state}
          someMine={conflict.someMine}
          onUseNewer={() => {
            adopt(conflict.latest);
            onSettled?.();
          }}
          onKeepMine={() => setConflict(null)}
        />
      )}
      {guard}
    </>
  );

  return {
    form,
    submit,
    saving,
    settled,
    isDirty,
    isDirtyNow,
    adopt,
    clear,
    letGo,
    restore,
    resume,
    notices,
  };
}
