/**
 * What a record's form knows apart from the fields themselves, and how it changes. Plain functions:
 * what is asked of the state after a wait (is it dirty now? is a save open?) is of this moment, and
 * never of the last drawing.
 */
import { changedFields, merge } from '../../lib/merge';
import { conflictOf, type Conflict, type ConflictOptions } from './conflict';

export interface Versioned {
  version: number;
}

/** A save as it was first sent: sent again, it is the same under the same key, and made once. */
export interface Attempt<Values, Saved> {
  /** What the form showed. */
  typed: Values;
  send: () => Promise<Saved>;
}

export interface RecordState<Values, Saved> {
  /** The record that `base` is of; none of a new one. */
  record: Saved | undefined;
  /** The fields as they were read or saved last. */
  base: Values;
  version: number | undefined;
  isDirty: boolean;
  /** The save to which no answer came: it may have been made. */
  unconfirmed: Attempt<Values, Saved> | null;
  /** Unsaved values that came from the portal, a copy or a draft: untouched they are no draft. */
  restored: Values | null;
  conflict: Conflict<Values, Saved> | null;
}

/** What the fields are to show: `base` as the saved values, where they change, and what is typed. */
export interface Fill<Values> {
  base?: Values;
  shown: Values;
}

export type RecordEvent<Values, Saved> =
  | { type: 'adopted'; record: Saved; values: Values }
  /** `sent` was saved; `shown` is what the form holds by now. */
  | { type: 'saved'; record: Saved; values: Values; sent: Values; shown: Values }
  | { type: 'unanswered'; attempt: Attempt<Values, Saved> }
  | { type: 'refused' }
  /** Edits of `before` go on top of a newer record. */
  | {
      type: 'rebased';
      latest: Saved;
      values: Values;
      before: Partial<Values>;
      mine: Values;
      rules: ConflictOptions<Values, Saved>;
      /** Whether the person is told of it. */
      isTold: boolean;
      /** Whether the edits come from a draft: untouched they are no new one. */
      isRestored: boolean;
    }
  | { type: 'keptMine' }
  | { type: 'cleared'; values: Values }
  | { type: 'restored'; values: Values }
  | { type: 'drawn'; isDirty: boolean }
  | { type: 'navigationAllowed' };

export interface Outcome<Values, Saved> {
  state: RecordState<Values, Saved>;
  /** Null where the fields stay as they are. */
  fill: Fill<Values> | null;
}

export function begin<Values, Saved extends Versioned>(
  record: Saved | undefined,
  base: Values,
): RecordState<Values, Saved> {
  return {
    record,
    base,
    version: record?.version,
    isDirty: false,
    unconfirmed: null,
    restored: null,
    conflict: null,
  };
}

/** The state after an event, and what the fields show then. */
export function transition<Values extends object, Saved extends Versioned>(
  state: RecordState<Values, Saved>,
  event: RecordEvent<Values, Saved>,
): Outcome<Values, Saved> {
  const stays = (changed: Partial<RecordState<Values, Saved>>): Outcome<Values, Saved> => ({
    state: { ...state, ...changed },
    fill: null,
  });
  switch (event.type) {
    case 'adopted':
      return {
        state: begin(event.record, event.values),
        fill: { base: event.values, shown: event.values },
      };
    case 'saved': {
      const { sent, shown, values } = event;
      const isDirty = changedFields(sent, shown).length > 0;
      return {
        state: { ...begin(event.record, values), isDirty },
        fill: { base: values, shown: isDirty ? merge(sent, shown, values).values : values },
      };
    }
    case 'unanswered':
      return stays({ unconfirmed: event.attempt });
    case 'refused':
      return stays({ unconfirmed: null });
    case 'rebased': {
      const { latest, values, before, mine } = event;
      const found = conflictOf(state.record, latest, { before, mine, newer: values }, event.rules);
      // Told once of each version.
      const isKnown = state.conflict?.latest.version === latest.version;
      const conflict = event.isTold && !isKnown ? found : state.conflict;
      return {
        state: {
          ...begin(latest, values),
          isDirty: found.someMine,
          restored: event.isRestored ? found.values : state.restored,
          conflict,
        },
        fill: { base: values, shown: found.values },
      };
    }
    case 'keptMine':
      return stays({ conflict: null });
    case 'cleared':
      return {
        state: { ...begin<Values, Saved>(undefined, event.values), restored: state.restored },
        fill: { base: event.values, shown: event.values },
      };
    case 'restored':
      return {
        state: { ...state, restored: event.values, unconfirmed: null },
        fill: { shown: event.values },
      };
    case 'drawn':
      return stays({ isDirty: event.isDirty });
    case 'navigationAllowed':
      return stays({ isDirty: false });
  }
}

/** The machine of one form. `state` is read at any moment; listeners draw what depends on it. */
export class RecordMachine<Values extends object, Saved extends Versioned> {
  private readonly listeners = new Set<() => void>();

  constructor(private now: RecordState<Values, Saved>) {}

  readonly state = (): RecordState<Values, Saved> => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Answers what the fields are to show now. */
  send(event: RecordEvent<Values, Saved>): Fill<Values> | null {
    const { state, fill } = transition(this.now, event);
    this.now = state;
    for (const listener of this.listeners) listener();
    return fill;
  }
}
