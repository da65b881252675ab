import { queryOptions, useQuery } from '@tanstack/react-query';

import { api, useSessionState } from '../../api';
import type { Wire } from '../../contract';

interface ResultEntryPermissions {
  /** Null until the portal has said it. */
  mayOpen: boolean | null;
  mayEnter: boolean;
}

const resultEntrySettingsQuery = queryOptions({
  queryKey: ['settings', 'result-entry'],
  queryFn: ({ signal }) =>
    api.get<Wire<'ResultEntrySettings'>>('/api/system/settings/result-entry', { signal }),
  staleTime: Infinity,
  meta: { quiet: true },
});

/** What the portal lets this person do in result entry; who releases opens it as well (P 6). */
export function useResultEntryPermissions(): ResultEntryPermissions {
  const { user } = useSessionState();
  const settings = useQuery({ ...resultEntrySettingsQuery, enabled: user !== null });
  if (user === null || settings.isError) return { mayOpen: false, mayEnter: false };
  if (settings.data === undefined) return { mayOpen: null, mayEnter: false };
  const mayEnter = settings.data.canEnterResults.allowed;
  return { mayOpen: mayEnter || settings.data.canReleaseResults.allowed, mayEnter };
}
