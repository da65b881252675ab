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
import { changedFields, merge, type EntryKey, type Merged } from './merge';
import { useUnsavedGuard } from './useUnsavedGuard';

export interface Versioned {
  version: number;
}

/** What a save must send along: `Idempotency-Key` and `If-Match`. */
export interface SaveContext {
  idempotencyKey: string;
  version: number | undefined;
}

interface RecordFormOptions<Values extends FieldValues, Saved extends Versioned> {
  schema: z.ZodType<Values, Values>;
  /** Values of a blank form. */
  defaults: Values;
  /** The record being edited; absent for a new one. */
  record?: Saved | undefined;
  toValues: (record: Saved) => Values;
  save: (values: Values, context: SaveContext) => Promise<Saved>;
  /** Reads the record again after a 412. */
  reload?: (() => Promise<Saved>) | undefined;
  /** Whether a record takes changes of a field; without it, it takes all. */
  editable?: ((record: Saved, field: string) => boolean) | undefined;
  /** What became of the record, for the notice about a conflict; null where it was just saved. */
  describeState?: ((before: Saved | undefined, latest: Saved) => string | null) | undefined;
  /** How a list is merged entry by entry with what somebody else made of it; null where it is not. */
  entryKey?: ((field: string, base: Values, mine: Values) => EntryKey | null) | undefined;
  onSaved?: ((record: Saved) => void) | undefined;
  /** The form's field for a field of the wire, where the names differ. */
  fieldOf?: ((wireField: string) => FieldPath<Values> | null) | undefined;
  /** What a person calls a field, for the notice about a conflict. */
  labelOf?: ((field: string) => string) | undefined;
  /** Sentences for failures that this screen explains itself; null leaves it to the kit. */
  explain?: ((error: ApiError) => string | null) | undefined;
  /**
   * Called a moment after the last change with unsaved values, the version that they were made
   * for and the names of the fields that differ from it: the place to keep a draft.
   */
  onDraft?:
    ((values: Values, version: number | undefined, changed: readonly string[]) => void) | undefined;
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
  /** Puts unsaved values back, on top of the version that they were made for. */
  restore: (values: Values, version: number | undefined) => void;
  /** The conflict banner and the unsaved-changes question; render it once in the form. */
  notices: ReactElement;
}

interface Conflict<Values, Saved> extends Merged<Values> {
  latest: Saved;
  state: string | null;
  someMine: boolean;
}

const DRAFT_PAUSE_MS = 800;
/** Refusals that have no sentence in P 8: the screen that asked says them (DECISIONS). */
const SAID_HERE: readonly number[] = [403, 412, 413, 415, 424, 429];

/**
 * One record's form: values and rules, the server's field errors, the unsaved-changes guard, the
 * version it was read at and the key of the save in hand. A stale version loses nothing of either:
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
  // The same key while the same values are being tried again; a changed form is a new action.
  const running = useRef<Promise<Saved | null> | null>(null);
  const action = useRef<{ key: string; values: string } | null>(null);
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
      action.current = null;
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

  /** Puts this person's edits on top of a newer record, as far as that takes them. */
  const meet = (latest: Saved) => {
    const [before, mine, newer] = [base.current, form.getValues(), toValues(latest)];
    const found = merge(before, mine, newer, {
      editable: (name) => options.editable?.(latest, name) ?? true,
      entryKey: (name) => options.entryKey?.(name, before, mine) ?? null,
    });
    base.current = newer;
    version.current = latest.version;
    action.current = null;
    const someMine = changedFields(newer, found.values).length > 0;
    dirty.current = someMine;
    form.reset(newer);
    form.reset(found.values, { keepDefaultValues: true });
    const state = options.describeState?.(known.current, latest) ?? null;
    known.current = latest;
    // Told once of each version.
    setConflict((now) =>
      now?.latest.version === latest.version ? now : { ...found, latest, state, someMine },
    );
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
    action.current = null;
    dirty.current = false;
    setConflict(null);
    form.reset(defaults);
  }, [defaults, form]);

  const restore = useCallback(
    (values: Values, madeFor: number | undefined) => {
      version.current = madeFor;
      putIn.current = values;
      action.current = null;
      form.reset(values, { keepDefaultValues: true });
    },
    [form],
  );

  const letGo = useCallback(() => {
    dirty.current = false;
  }, []);

  const { onDraft, onSettled } = options;
  useEffect(() => {
    if (!onDraft) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keepSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const values = form.getValues();
        const touched = putIn.current === null || changedFields(putIn.current, values).length > 0;
        if (dirty.current && touched) {
          onDraft(values, version.current, changedFields(base.current, values));
        }
      }, DRAFT_PAUSE_MS);
    };
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: keepSoon,
    });
    // The draft changes hands, as when saving gives a new record its id.
    if (dirty.current) keepSoon();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [form, onDraft]);

  const failed = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError)) {
      toasts.failure(error);
      return;
    }
    if (error.status === 412 && options.reload) {
      const latest = await options.reload().catch((failure: unknown) => {
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

  /** `typed` is what the form showed when `values` were taken from it and checked. */
  const save = async (values: Values, typed: Values): Promise<Saved | null> => {
    const fingerprint = JSON.stringify(values);
    if (action.current?.values !== fingerprint) {
      action.current = { key: newIdempotencyKey(), values: fingerprint };
    }
    setSaving(true);
    try {
      const saved = await options.save(values, {
        idempotencyKey: action.current.key,
        version: version.current,
      });
      adoptSaved(saved, typed);
      onSettled?.();
      options.onSaved?.(saved);
      return saved;
    } catch (error) {
      await failed(error);
      return null;
    } finally {
      setSaving(false);
    }
  };

  const send = async (): Promise<Saved | null> => {
    let outcome: Saved | null = null;
    const typed = form.getValues();
    await form.handleSubmit(async (values) => {
      outcome = await save(values, typed);
    })();
    return outcome;
  };

  // Asked for twice, it is one save, and both hear what came of it.
  const submit = (): Promise<Saved | null> => {
    running.current ??= send().finally(() => {
      running.current = null;
    });
    return running.current;
  };

  const settled = async () => running.current === null || (await running.current) !== null;

  const guard = useUnsavedGuard(
    useCallback(() => dirty.current, []),
    onSettled,
  );
  const named = (fields: readonly string[]) =>
    fields.map((name) => options.labelOf?.(name) ?? name);
  const notices = (
    <>
      {conflict === null ? null : (
        <ConflictBanner
          key={conflict.latest.version}
          taken={named(conflict.taken)}
          contested={named(conflict.contested)}
          dropped={named(conflict.dropped)}
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

  const isDirtyNow = useCallback(() => dirty.current, []);
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
    notices,
  };
}
