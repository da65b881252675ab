import { useMutation } from '@tanstack/react-query';
import { useReducer } from 'react';
import { flushSync } from 'react-dom';

import { ApiError, describe, newIdempotencyKey } from '../../../api';
import { toasts } from '../../../components';
import { messages, say } from '../../../contract';
import { releaseResults, saveResults, type ResultEntry } from '../api';
import {
  edited,
  fieldOf,
  isEdited,
  putOn,
  refusedFields,
  typedSince,
  valuesOf,
  type Values,
} from './typedResults';

interface State {
  /** The version of the order that the typed values are made on. */
  shown: ResultEntry;
  values: Values;
  /** The sentence at each field that the portal refused. */
  refusals: Values;
  /** Somebody else saved first, and the person has not decided yet: what both changed. */
  conflict: readonly string[] | null;
}

type Act =
  | { type: 'typed'; field: string; value: string }
  | { type: 'saved'; entry: ResultEntry; sent: Values }
  | { type: 'refused'; refusals: Values }
  | { type: 'met'; latest: ResultEntry }
  | { type: 'usedNewer' }
  | { type: 'keptMine' };

const begin = (entry: ResultEntry): State => ({
  shown: entry,
  values: valuesOf(entry),
  refusals: {},
  conflict: null,
});

function after(state: State, act: Act): State {
  switch (act.type) {
    case 'typed': {
      const { [act.field]: _, ...refusals } = state.refusals;
      return { ...state, values: { ...state.values, [act.field]: act.value }, refusals };
    }
    case 'saved':
      return { ...begin(act.entry), values: typedSince(act.sent, state.values, act.entry) };
    case 'refused':
      return { ...state, refusals: act.refusals };
    case 'met': {
      const { values, compared } = putOn(state.shown, state.values, act.latest);
      return { ...begin(act.latest), values, conflict: compared };
    }
    case 'usedNewer':
      return begin(state.shown);
    case 'keptMine':
      return { ...state, conflict: null };
  }
}

interface ResultEntryOptions {
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
  /** Called when the refused fields are marked. */
  onRefused: () => void;
}

/**
 * What is typed into an order's tests, and how it is saved and released. Nothing that somebody else
 * saved is overwritten unseen: after a conflict nothing is saved before the person has decided.
 */
export function useResultEntry({ entry, onChanged, reload, onRefused }: ResultEntryOptions) {
  const [state, act] = useReducer(after, entry, begin);
  const { shown, values, conflict } = state;
  const isDirty = isEdited(shown, values);
  // Read again in the background, the order moves on unless something was typed on the older one.
  if (entry.version > shown.version && !isDirty && conflict === null) {
    act({ type: 'saved', entry, sent: values });
  }

  const settle = (saved: ResultEntry, sent: Values, message: string) => {
    act({ type: 'saved', entry: saved, sent });
    onChanged(saved);
    toasts.success(message);
  };
  const meetNewer = async (error: ApiError) => {
    try {
      const latest = await reload();
      act({ type: 'met', latest });
      onChanged(latest);
    } catch (failure) {
      toasts.error(`${describe(error)} ${describe(failure)}`);
    }
  };
  const failed = async (error: unknown, refusals: Values = {}) => {
    const tests = shown.rows.filter(
      (row) => fieldOf(row, 'result') in refusals || fieldOf(row, 'comment') in refusals,
    );
    if (error instanceof ApiError && error.status === 412) {
      await meetNewer(error);
    } else if (tests[0]) {
      toasts.error(say(messages.RESULTS_REFUSED, { count: tests.length, test: tests[0].name }));
      // Drawn at once: only a marked field can be gone to.
      flushSync(() => act({ type: 'refused', refusals }));
      onRefused();
    } else if (!(error instanceof ApiError && error.status === 401)) {
      // In the portal's own words; of a session that ended the sign-in speaks.
      toasts.error(describe(error));
    }
  };
  const context = () => ({ version: shown.version, idempotencyKey: newIdempotencyKey() });

  const saving = useMutation({
    mutationFn: (sent: Values) => saveResults(shown.orderId, edited(shown, sent), context()),
    meta: { quiet: true },
    onSuccess: (saved, sent) => settle(saved, sent, messages.RESULTS_SAVED),
    onError: (error, sent) => {
      const errors = error instanceof ApiError ? error.errors : [];
      return failed(error, refusedFields(errors, edited(shown, sent)));
    },
  });
  const releasing = useMutation({
    mutationFn: () => releaseResults(shown.orderId, context()),
    meta: { quiet: true },
    onSuccess: (saved) => settle(saved, valuesOf(shown), messages.RESULTS_RELEASED),
    onError: (error) => failed(error),
  });

  const canSave = isDirty && conflict === null && !saving.isPending;
  return {
    ...state,
    isDirty,
    canSave,
    canRelease: !isDirty && conflict === null,
    isSaving: saving.isPending,
    isReleasing: releasing.isPending,
    type: (field: string, value: string) => act({ type: 'typed', field, value }),
    save: () => {
      if (canSave) saving.mutate(values);
    },
    release: () => releasing.mutate(),
    useNewer: () => act({ type: 'usedNewer' }),
    keepMine: () => act({ type: 'keptMine' }),
  };
}
