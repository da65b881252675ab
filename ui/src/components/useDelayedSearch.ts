import { useCallback, useEffect, useRef, useState } from 'react';

import { limits } from '../contract';
import type { Memory } from './useHistoryMemory';

/** A search as a visit of its screen left it. */
export interface LeftSearch<Values> {
  values: Values;
  applied: Values;
  run: number;
}

interface DelayedSearch<Values> {
  values: Values;
  change: (change: Partial<Values>) => void;
  /** The values of the last search; null before the first. */
  applied: Values | null;
  /** Counts the searches: the same one again asks the portal again. */
  run: number;
  /** A search was asked for, or begins by itself soon, and is not applied yet. */
  waiting: boolean;
  /** Answers whether the values can be searched for. */
  submit: () => boolean;
  /** Restores the defaults without searching (DECISIONS). */
  clear: () => void;
}

/**
 * The values of a search screen. It searches by itself two seconds after it appears (O 2.2,
 * R 2.1), and every search is applied a moment after it was asked for.
 *
 * @param defaults the values at first and after Clear; a day among them is the day of then
 * @param prepare what the values mean when submitted, such as empty dates that become today
 * @param isValid whether prepared values can be searched for; until they can, nothing is
 * @param memory keeps the search for whoever comes back to the screen
 */
export function useDelayedSearch<Values>(
  defaults: () => Values,
  delayMs: number,
  prepare: (values: Values) => Values,
  isValid: (values: Values) => boolean,
  memory?: Memory<LeftSearch<Values>>,
): DelayedSearch<Values> {
  const [left] = useState(() => memory?.read() ?? null);
  const [values, setValues] = useState(() => left?.values ?? defaults());
  const [{ applied, run }, setSearch] = useState<{ applied: Values | null; run: number }>({
    applied: left?.applied ?? null,
    run: left?.run ?? 0,
  });
  const [waiting, setWaiting] = useState(left === null);
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
    // What was filled in is seen, also where it is what stops the search.
    setValues(prepared);
    if (!isValid(prepared)) return false;
    clearTimeout(timer.current);
    setWaiting(true);
    timer.current = setTimeout(() => {
      setWaiting(false);
      setSearch((last) => ({ applied: prepared, run: last.run + 1 }));
    }, delayMs);
    return true;
  }, [delayMs, isValid, prepare]);

  useEffect(() => {
    // Whoever is in the middle of a date is waited for.
    const begin = () => {
      if (isValid(prepare(latest.current))) submit();
      else {
        setWaiting(false);
        timer.current = setTimeout(begin, delayMs);
      }
    };
    // Whoever comes back finds the search that was made.
    if (left === null) timer.current = setTimeout(begin, limits.SEARCH_AUTO_SUBMIT_MS);
    return () => clearTimeout(timer.current);
  }, [delayMs, isValid, left, prepare, submit]);

  return {
    values,
    change: (change) => setValues((current) => ({ ...current, ...change })),
    applied,
    run,
    waiting,
    submit,
    clear: () => setValues(defaults()),
  };
}
