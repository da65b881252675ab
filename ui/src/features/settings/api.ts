import { queryOptions, useQuery } from '@tanstack/react-query';

import { api, useSessionState } from '../../api';
import type { Wire } from '../../contract';

interface ResultEntryPermissions {
  /** Null until it is loaded. */
  canOpen: boolean | null;
  canEnter: boolean;
}

const resultEntrySettingsQuery = queryOptions({
  queryKey: ['settings', 'result-entry'],
  queryFn: ({ signal }) =>
    api.get<Wire<'ResultEntrySettings'>>('/api/system/settings/result-entry', { signal }),
  staleTime: Infinity,
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
