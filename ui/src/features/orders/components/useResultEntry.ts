import { useMutation } from '@tanstack/react-query';
import { useReducer } from 'react';
import { flushSync } from 'react-dom';

import { ApiError, describe, newIdempotencyKey } from '../../../api';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { isUnconfirmed } from '../../../components/forms/unconfirmed';
import { messages, say } from '../../../contract';
import { releaseResults, saveResults, type ResultEntry, type ResultWrite } from '../api';
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

/** A save as it was first sent: sent again, it is the same under the same key, and made once. */
interface Attempt {
  sent: Values;
  results: ResultWrite[];
  send: () => Promise<ResultEntry>;
}

/** A save that failed, and what it was. */
class SaveFailure extends Error {
  constructor(
    readonly reason: unknown,
    readonly attempt: Attempt,
  ) {
    super('a save failed');
  }
}

interface State {
  /** The version of the order that the typed values are made on. */
  shown: ResultEntry;
  values: Values;
  /** The sentence at each field that the portal refused. */
  refusals: Values;
  /** Somebody else saved first, and the person has not decided yet: what both changed. */
  conflict: readonly string[] | null;
  /** The save to which no answer came: it may have been made. */
  unconfirmed: Attempt | null;
}

type Act =
  | { type: 'typed'; field: string; value: string }
  | { type: 'saved'; entry: ResultEntry; sent: Values }
  | { type: 'unanswered'; attempt: Attempt }
  | { type: 'refused'; refusals: Values }
  | { type: 'met'; latest: ResultEntry }
  | { type: 'usedNewer' }
  | { type: 'keptMine' };

const begin = (entry: ResultEntry): State => ({
  shown: entry,
  values: valuesOf(entry),
  refusals: {},
  conflict: null,
  unconfirmed: null,
});

function after(state: State, act: Act): State {
  switch (act.type) {
    case 'typed': {
      const { [act.field]: _, ...refusals } = state.refusals;
      return { ...state, values: { ...state.values, [act.field]: act.value }, refusals };
    }
    case 'saved':
      return { ...begin(act.entry), values: typedSince(act.sent, state.values, act.entry) };
    case 'unanswered':
      return { ...state, unconfirmed: act.attempt };
    case 'refused':
      return { ...state, refusals: act.refusals, unconfirmed: null };
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
  const { shown, values, conflict, unconfirmed } = state;
  const isDirty = isEdited(shown, values);
  // Read again in the background, the order moves on unless something was typed on the older one.
  if (entry.version > shown.version && !isDirty && conflict === null && !unconfirmed) {
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
  const attempt = (on: ResultEntry, sent: Values): Attempt => {
    const results = edited(on, sent);
    const context = { version: on.version, idempotencyKey: newIdempotencyKey() };
    return { sent, results, send: () => saveResults(on.orderId, results, context) };
  };
  const send = async (made: Attempt): Promise<ResultEntry> => {
    try {
      return await made.send();
    } catch (reason) {
      throw new SaveFailure(reason, made);
    }
  };
  /** A save that got no answer is made first, once; what was typed since then goes on top. */
  const saveAll = async (typed: Values) => {
    if (unconfirmed === null) return { saved: await send(attempt(shown, typed)), sent: typed };
    let saved: ResultEntry;
    try {
      saved = await send(unconfirmed);
    } catch (failure) {
      if (failure instanceof SaveFailure && isUnconfirmed(failure.reason)) throw failure;
      // It was refused, so nothing was saved: what is typed now is a save of its own.
      return { saved: await send(attempt(shown, typed)), sent: typed };
    }
    const rest = typedSince(unconfirmed.sent, typed, saved);
    if (!isEdited(saved, rest)) return { saved, sent: typed };
    act({ type: 'saved', entry: saved, sent: unconfirmed.sent });
    onChanged(saved);
    return { saved: await send(attempt(saved, rest)), sent: rest };
  };

  const saving = useMutation({
    mutationFn: saveAll,
    meta: { quiet: true },
    onSuccess: ({ saved, sent }) => settle(saved, sent, messages.RESULTS_SAVED),
    onError: (failure) => {
      if (!(failure instanceof SaveFailure)) return failed(failure);
      const { reason, attempt: made } = failure;
      if (isUnconfirmed(reason)) act({ type: 'unanswered', attempt: made });
      const errors = reason instanceof ApiError ? reason.errors : [];
      return failed(reason, refusedFields(errors, made.results));
    },
  });
  const releasing = useWrite({
    send: ({ orderId, version }: ResultEntry, idempotencyKey) =>
      releaseResults(orderId, { version, idempotencyKey }),
    identify: ({ orderId, version }) => ({ orderId, version }),
    onDone: (saved) => settle(saved, valuesOf(shown), messages.RESULTS_RELEASED),
    explain: (error) => {
      void failed(error);
      return true;
    },
  });

  const hasUnsaved = isDirty || unconfirmed !== null;
  const canSave = hasUnsaved && conflict === null && !saving.isPending;
  return {
    shown,
    values,
    refusals: state.refusals,
    conflict,
    isDirty,
    canSave,
    canRelease: !hasUnsaved && conflict === null,
    isSaving: saving.isPending,
    isReleasing: releasing.isRunning,
    type: (field: string, value: string) => act({ type: 'typed', field, value }),
    save: () => {
      if (canSave) saving.mutate(values);
    },
    release: () => releasing.run(shown),
    useNewer: () => act({ type: 'usedNewer' }),
    keepMine: () => act({ type: 'keptMine' }),
  };
}
