import { useCallback, useEffect, useRef, useState } from 'react';

import { limits } from '../contract';

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
 */
export function useDelayedSearch<Values>(
  defaults: () => Values,
  delayMs: number,
  prepare: (values: Values) => Values,
  isValid: (values: Values) => boolean,
): DelayedSearch<Values> {
  const [values, setValues] = useState(defaults);
  const [{ applied, run }, setSearch] = useState<{ applied: Values | null; run: number }>({
    applied: null,
    run: 0,
  });
  const [waiting, setWaiting] = useState(true);
  const latest = useRef(values);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = values;
  }, [values]);

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
    timer.current = setTimeout(begin, limits.SEARCH_AUTO_SUBMIT_MS);
    return () => clearTimeout(timer.current);
  }, [delayMs, isValid, prepare, submit]);

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
