import { createContext, use } from 'react';

import type { RouteParameters } from '../lib/matrix';

export const RouteParametersContext = createContext<RouteParameters>({});

/** The matrix, query and handed-over parameters of the current screen. */
export const useRouteParameters = (): RouteParameters => use(RouteParametersContext);

/** A numeric id parameter, or null when it is absent or not a number. */
export function useIdParameter(name = 'id'): number | null {
  const text = useRouteParameters()[name];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
