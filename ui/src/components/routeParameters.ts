import { createContext, use } from 'react';

import type { RouteParameters } from '../lib/matrix';

export const RouteParametersContext = createContext<RouteParameters>({});

/** The matrix, query and handed-over parameters of the current screen. */
export const useRouteParameters = (): RouteParameters => use(RouteParametersContext);

/** Ids begin at 1: the portal answers that there is no such record. */
const NO_RECORD = 0;

/**
 * The id of a record, or null when none is asked for. An id that is no number is one that no record
 * has: a mangled link must not open the form of a new record.
 */
export function useIdParameter(name = 'id'): number | null {
  const text = useRouteParameters()[name] ?? '';
  if (text === '') return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : NO_RECORD;
}
