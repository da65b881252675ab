import { useCallback, useEffect, useRef, useState } from 'react';

import { limits } from '../contract';
import type { Memory } from './useHistoryMemory';

/** A search as stored when the user left its screen. */
export interface SavedSearch<Values> {
  values: Values;
  applied: Values;
  run: number;
}

interface DelayedSearch<Values> {
  values: Values;
  change: (change: Partial<Values>) => void;
  /** Changes values and submits them: a complete choice needs no Search. */
  apply: (change: Partial<Values>) => void;
  /** The values of the last search; null before the first. */
  applied: Values | null;
  /** The number of searches so far; the same search again loads again. */
  run: number;
  /** A search was submitted or is about to start, but is not applied yet. */
  isWaiting: boolean;
  /** Returns whether the values can be searched for. */
  submit: () => boolean;
  /** Restores the defaults without searching (DECISIONS). */
  clear: () => void;
}

const FIRST_RUN = 1;

/**
 * The values of a search screen. It searches by itself two seconds after it appears (O 2.2, R 2.1),
 * and applies every search after a short delay.
 * @param defaults the initial values, also used by Clear; evaluated each time, so that a date is
 * current
 * @param prepare completes submitted values, such as empty dates that become today
 * @param isValid whether prepared values can be searched for
 * @param memory stores the search for returning to the screen
 * @param requested the values that a link asks for; they are searched for at once
 */
export function useDelayedSearch<Values>(
  defaults: () => Values,
  delayMs: number,
  prepare: (values: Values) => Values,
  isValid: (values: Values) => boolean,
  memory?: Memory<SavedSearch<Values>>,
  requested: Values | null = null,
): DelayedSearch<Values> {
  const [savedSearch] = useState(
    () =>
      memory?.read() ?? (requested && { values: requested, applied: requested, run: FIRST_RUN }),
  );
  const [values, setValues] = useState(() => savedSearch?.values ?? defaults());
  const [{ applied, run }, setSearch] = useState<{ applied: Values | null; run: number }>({
    applied: savedSearch?.applied ?? null,
    run: savedSearch?.run ?? 0,
  });
  const [isWaiting, setIsWaiting] = useState(savedSearch === null);
  const latest = useRef(values);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  useEffect(() => {
    if (applied !== null) memory?.write({ values, applied, run });
  }, [applied, memory, run, values]);

  const submit = useCallback(() => {
    const prepared = prepare(latest.current);
    // Filled-in values are shown even if they prevent the search.
    setValues(prepared);
    if (!isValid(prepared)) return false;
    clearTimeout(timer.current);
    setIsWaiting(true);
    timer.current = setTimeout(() => {
      setIsWaiting(false);
      setSearch((previous) => ({ applied: prepared, run: previous.run + 1 }));
    }, delayMs);
    return true;
  }, [delayMs, isValid, prepare]);

  useEffect(() => {
    // Wait while the user is typing a date.
    const submitWhenValid = () => {
      if (isValid(prepare(latest.current))) submit();
      else {
        setIsWaiting(false);
        timer.current = setTimeout(submitWhenValid, delayMs);
      }
    };
    // A user who returns or follows a link sees that search instead.
    if (savedSearch === null)
      timer.current = setTimeout(submitWhenValid, limits.SEARCH_AUTO_SUBMIT_MS);
    return () => clearTimeout(timer.current);
  }, [delayMs, isValid, savedSearch, prepare, submit]);

  return {
    values,
    change: (change) => setValues((current) => ({ ...current, ...change })),
    apply: (change) => {
      latest.current = { ...latest.current, ...change };
      setValues(latest.current);
      submit();
    },
    applied,
    run,
    isWaiting,
    submit,
    clear: () => setValues(defaults()),
  };
}
