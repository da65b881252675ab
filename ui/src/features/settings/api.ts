import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';

import { api, loadCapabilities, useCapabilities, useSessionState, type Lab } from '../../api';
import { limits, type ReasonKind, type Wire } from '../../contract';
import { compareClocks } from '../../lib/labClock';

interface ResultEntryPermissions {
  /** Whether the user may open result entry; null until that is known. */
  canOpen: boolean | null;
  canEnter: boolean;
}

const resultEntrySettingsQuery = queryOptions({
  queryKey: ['settings', 'result-entry'],
  queryFn: ({ signal }) =>
    api.get<Wire<'ResultEntrySettings'>>('/api/system/settings/result-entry', { signal }),
  // The lab may change them at any time.
  staleTime: limits.SETTINGS_REFRESH_SECONDS * 1000,
  refetchInterval: limits.SETTINGS_REFRESH_SECONDS * 1000,
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});

/** What the user may do in result entry; users who release results may open it too (P 6). */
export function useResultEntryPermissions(): ResultEntryPermissions {
  const { user } = useSessionState();
  const settings = useQuery({ ...resultEntrySettingsQuery, enabled: user !== null });
  if (user === null || settings.isError) return { canOpen: false, canEnter: false };
  if (settings.data === undefined) return { canOpen: null, canEnter: false };
  const canEnter = settings.data.canEnterResults.allowed;
  return { canOpen: canEnter || settings.data.canReleaseResults.allowed, canEnter };
}

/** The lab's reasons of a kind, in its order. */
export const reasonsQuery = (kind: ReasonKind) =>
  queryOptions({
    queryKey: ['reasons', kind],
    queryFn: ({ signal }) =>
      api.get<Wire<'ReasonShape'>[]>('/api/v2/reasons', { query: { kind }, signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  });

/** The places where the lab's clients have specimens collected. */
export const collectionSitesQuery = queryOptions({
  queryKey: ['collection-sites'],
  queryFn: ({ signal }) =>
    api.get<Wire<'CollectionSiteShape'>[]>('/api/v2/collection-sites', { signal }),
  staleTime: Infinity,
  meta: { quiet: true },
});

/** The difference between the workstation's clock and the lab's, compared again at intervals. */
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
const labQuery = queryOptions({
  queryKey: ['lab'],
  queryFn: async ({ client, queryKey }) => {
    const capabilities = await loadCapabilities();
    // The time zone may have changed.
    client.setQueryData(clockQuery.queryKey, compareClocks());
    // While the portal is out of reach, the desktop app does not know the lab.
    return capabilities.lab ?? client.getQueryData<Lab | null>(queryKey) ?? null;
  },
  staleTime: limits.SETTINGS_REFRESH_SECONDS * 1000,
  refetchInterval: limits.SETTINGS_REFRESH_SECONDS * 1000,
  refetchOnWindowFocus: true,
  retry: false,
  meta: { quiet: true },
});

export function useLab(): Lab | null {
  const { lab } = useCapabilities();
  return useQuery({ ...labQuery, initialData: lab }).data;
}

/** Reloads what screens show of the lab's settings. */
export function refreshLab(queries: QueryClient): void {
  for (const queryKey of [['settings'], labQuery.queryKey, clockQuery.queryKey])
    void queries.invalidateQueries({ queryKey });
}
