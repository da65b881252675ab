import { queryOptions, useQuery } from '@tanstack/react-query';

import { loadCapabilities, useCapabilities, type Lab } from '../../api';
import { limits } from '../../contract';
import { compareClocks } from '../../lib/labClock';

/** The difference between the workstation's clock and the lab's, compared again now and then. */
export const clockQuery = queryOptions({
  queryKey: ['lab-clock'],
  queryFn: async () => {
    await loadCapabilities();
    return compareClocks();
  },
  initialData: compareClocks,
  staleTime: Infinity,
  refetchInterval: limits.CLOCK_CHECK_SECONDS * 1000,
  // A laptop that wakes may have a wrong clock.
  refetchOnWindowFocus: 'always',
  retry: false,
  meta: { quiet: true },
});

/** The lab's public details, which a Superuser may change at any time (ADR 63). */
export function useLab(): Lab | null {
  const { lab } = useCapabilities();
  const query = useQuery({
    queryKey: ['lab'],
    queryFn: async () => (await loadCapabilities()).lab,
    initialData: lab,
    staleTime: limits.SETTINGS_REFRESH_SECONDS * 1000,
    refetchOnWindowFocus: true,
    retry: false,
    meta: { quiet: true },
  });
  return query.data;
}
