/**
 * The state of a record's form apart from its fields, and its transitions. Plain functions, read
 * synchronously: after a wait, the form needs the current state (is it dirty, is a save
 * unconfirmed?) and not that of the last render.
 */
import { listChangedFields, merge } from '../../lib/merge';
import { buildConflict, type Conflict, type ConflictOptions } from './conflict';

export interface VersionedRecord {
  version: number;
}

/**
 * A save as first sent. Sending it again uses the same idempotency key, so it is made only once.
 */
export interface Attempt<Values, Saved> {
  /** The values in the form. */
  typedValues: Values;
  send: () => Promise<Saved>;
}

interface AnnouncedConflict<Values, Saved> extends Conflict<Values, Saved> {
  /** Whether this person's changes come from a draft. */
  isFromDraft: boolean;
}

export interface RecordState<Values, Saved> {
  /** The record that `base` belongs to; undefined for a new one. */
  record: Saved | undefined;
  /** The values as last read or saved. */
  base: Values;
  version: number | undefined;
  isDirty: boolean;
  /** A save that got no answer: the portal may have made it. */
  unconfirmedAttempt: Attempt<Values, Saved> | null;
  /** Unsaved values from the portal, a copy, or a draft. They are saved as a draft once edited. */
  restoredValues: Values | null;
  conflict: AnnouncedConflict<Values, Saved> | null;
}

/** New values of the fields: `base` replaces the saved ones, `shownValues` those in the form. */
export interface FormUpdate<Values> {
  base?: Values;
  shownValues: Values;
}

export type RecordEvent<Values, Saved> =
  | { type: 'adopted'; record: Saved; values: Values }
  /** `sent` was saved; `shownValues` are the values in the form now. */
  | { type: 'saved'; record: Saved; values: Values; sent: Values; shownValues: Values }
  | { type: 'unanswered'; attempt: Attempt<Values, Saved> }
  | { type: 'rejected' }
  /** Applies edits of `before` to a newer record. */
  | {
      type: 'rebased';
      latest: Saved;
      values: Values;
      before: Partial<Values>;
      mine: Values;
      options: ConflictOptions<Values, Saved>;
      /** Whether to announce the conflict. */
      isAnnounced: boolean;
      /** Whether the edits come from a draft; they are saved as a draft once edited. */
      isRestored: boolean;
      /** Who saved `latest`; null if unknown. */
      savedBy: string | null;
      /** What happened to the record; null lets `options` describe it. */
      state?: string | null;
    }
  | { type: 'keptMine' }
  | { type: 'cleared'; values: Values }
  | { type: 'restored'; values: Values }
  | { type: 'rendered'; isDirty: boolean }
  | { type: 'navigationAllowed' };

export interface TransitionResult<Values, Saved> {
  state: RecordState<Values, Saved>;
  /** Null if the fields stay unchanged. */
  update: FormUpdate<Values> | null;
}

export function createState<Values, Saved extends VersionedRecord>(
  record: Saved | undefined,
  base: Values,
): RecordState<Values, Saved> {
  return {
    record,
    base,
    version: record?.version,
    isDirty: false,
    unconfirmedAttempt: null,
    restoredValues: null,
    conflict: null,
  };
}

/** Returns the state after an event and the update of the fields. */
export function transition<Values extends object, Saved extends VersionedRecord>(
  state: RecordState<Values, Saved>,
  event: RecordEvent<Values, Saved>,
): TransitionResult<Values, Saved> {
  const changeState = (
    changes: Partial<RecordState<Values, Saved>>,
  ): TransitionResult<Values, Saved> => ({
    state: { ...state, ...changes },
    update: null,
  });
  switch (event.type) {
    case 'adopted':
      return {
        state: createState(event.record, event.values),
        update: { base: event.values, shownValues: event.values },
      };
    case 'saved': {
      const { sent, shownValues, values } = event;
      const isDirty = listChangedFields(sent, shownValues).length > 0;
      return {
        state: { ...createState(event.record, values), isDirty },
        update: {
          base: values,
          shownValues: isDirty ? merge(sent, shownValues, values).values : values,
        },
      };
    }
    case 'unanswered':
      return changeState({ unconfirmedAttempt: event.attempt });
    case 'rejected':
      return changeState({ unconfirmedAttempt: null });
    case 'rebased': {
      const { latest, values, before, mine } = event;
      const newConflict = buildConflict(
        state.record,
        latest,
        { before, mine, newer: values },
        event.options,
        event.savedBy,
      );
      // Each version is announced once.
      const wasAnnounced = state.conflict?.latest.version === latest.version;
      const conflict =
        event.isAnnounced && !wasAnnounced
          ? {
              ...newConflict,
              state: event.state ?? newConflict.state,
              isFromDraft: event.isRestored,
            }
          : state.conflict;
      return {
        state: {
          ...createState(latest, values),
          isDirty: newConflict.hasOwnChanges,
          restoredValues: event.isRestored ? newConflict.values : state.restoredValues,
          conflict,
        },
        update: { base: values, shownValues: newConflict.values },
      };
    }
    case 'keptMine':
      return changeState({ conflict: null });
    case 'cleared':
      return {
        state: {
          ...createState<Values, Saved>(undefined, event.values),
          restoredValues: state.restoredValues,
        },
        update: { base: event.values, shownValues: event.values },
      };
    case 'restored':
      return {
        state: { ...state, restoredValues: event.values, unconfirmedAttempt: null },
        update: { shownValues: event.values },
      };
    case 'rendered':
      return changeState({ isDirty: event.isDirty });
    case 'navigationAllowed':
      return changeState({ isDirty: false });
  }
}

/** The state machine of one form. `getState` can be called at any moment; listeners re-render. */
export class RecordMachine<Values extends object, Saved extends VersionedRecord> {
  private readonly listeners = new Set<() => void>();

  constructor(private current: RecordState<Values, Saved>) {}

  readonly getState = (): RecordState<Values, Saved> => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Applies an event and returns the update of the fields. */
  send(event: RecordEvent<Values, Saved>): FormUpdate<Values> | null {
    const { state, update } = transition(this.current, event);
    this.current = state;
    for (const listener of this.listeners) listener();
    return update;
  }
}
