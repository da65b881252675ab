import { useCallback, useEffect, useRef, useState } from 'react';

import { isEqual } from '../lib/equality';
import type { Memory } from './useHistoryMemory';

/** A search as stored when the user left its screen. */
export interface SavedSearch<Values> {
  values: Values;
  applied: Values;
  run: number;
}

interface SearchState<Values> {
  values: Values;
  change: (change: Partial<Values>) => void;
  /** Changes values and submits them: a complete choice needs no press of Search. */
  apply: (change: Partial<Values>) => void;
  /** The values of the last search; null before the first. */
  applied: Values | null;
  /** Whether the values are no longer those of the last search, as after Clear. */
  isOutdated: boolean;
  /** The number of searches so far, so that repeating a search reloads the rows. */
  run: number;
  /** Starts the search. Returns false if a value is invalid. */
  submit: () => boolean;
  /** Restores the defaults without searching (DECISIONS). */
  clear: () => void;
}

const FIRST_RUN = 1;

/**
 * The values of a search screen. It searches for its defaults as soon as it appears, and for
 * submitted values at once: the waits of O 2.2 and R 2.1 are upper limits (DECISIONS).
 * @param defaults the initial values, also used by Clear; evaluated each time, so that a date is
 * current
 * @param prepare completes submitted values, such as empty dates that become today
 * @param isValid whether prepared values can be searched for
 * @param memory stores the search for returning to the screen
 * @param requestedValues the values that a link asks for, instead of the defaults
 */
export function useSearch<Values>(
  defaults: () => Values,
  prepare: (values: Values) => Values,
  isValid: (values: Values) => boolean,
  memory?: Memory<SavedSearch<Values>>,
  requestedValues: Values | null = null,
): SearchState<Values> {
  const [initial] = useState(() => {
    const savedSearch = memory?.read();
    if (savedSearch) return savedSearch;
    const values = requestedValues ?? defaults();
    const appliedValues = requestedValues ?? prepare(values);
    return isValid(appliedValues)
      ? { values, applied: appliedValues, run: FIRST_RUN }
      : { values, applied: null, run: 0 };
  });
  const [values, setValues] = useState(initial.values);
  const [{ applied, run }, setSearch] = useState<{ applied: Values | null; run: number }>(initial);
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  useEffect(() => {
    if (applied !== null) memory?.write({ values, applied, run });
  }, [applied, memory, run, values]);

  const submit = useCallback(() => {
    const preparedValues = prepare(latest.current);
    // Filled-in values are shown even if they prevent the search.
    setValues(preparedValues);
    if (!isValid(preparedValues)) return false;
    setSearch((previous) => ({ applied: preparedValues, run: previous.run + 1 }));
    return true;
  }, [isValid, prepare]);

  return {
    values,
    change: (change) => setValues((current) => ({ ...current, ...change })),
    apply: (change) => {
      latest.current = { ...latest.current, ...change };
      setValues(latest.current);
      submit();
    },
    applied,
    isOutdated: applied !== null && !isEqual(prepare(values), applied),
    run,
    submit,
    clear: () => setValues(defaults()),
  };
}
