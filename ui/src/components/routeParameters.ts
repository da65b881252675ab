import { createContext, use } from 'react';

import { parseMatrix, type RouteParameters } from '../lib/matrix';

export const RouteParametersContext = createContext<RouteParameters>({});

/** The matrix, query and history-state parameters of the current screen. */
export const useRouteParameters = (): RouteParameters => use(RouteParametersContext);

/** Whether the address asks for a search: it has the first day of one. */
export const hasRequestedSearch = (parameters: RouteParameters): boolean =>
  parameters['startDate'] !== undefined;

/**
 * Removes the parameters of the shown address. The visit of the screen stays the same. A navigation
 * would begin another visit, without the state that Back and a reload restore.
 */
export function clearAddressParameters(): void {
  const { pathname, search } = window.location;
  const { path } = parseMatrix(pathname, search);
  if (path !== pathname || search !== '')
    window.history.replaceState(window.history.state, '', path);
}

/** An id that no record has, because ids begin at 1. Screens do not request it. */
export const NO_RECORD = 0;

/**
 * Returns the record id of the address, or null without one. A malformed id becomes the id of no
 * record, so that a mangled link does not open the form of a new record.
 */
export function useIdParameter(name = 'id'): number | null {
  const text = useRouteParameters()[name] ?? '';
  if (text === '') return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : NO_RECORD;
}

/** Returns the id of the record that a screen shows; null without one, and for a malformed one. */
export function useRecordId(): number | null {
  const id = useIdParameter();
  return id === NO_RECORD ? null : id;
}
