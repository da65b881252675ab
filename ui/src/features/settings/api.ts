import { useQuery } from '@tanstack/react-query';

import { api, useSessionState } from '../../api';
import { Role } from '../../contract';

interface ResultEntrySettings {
  resultEntryEnabled: boolean;
  resultEntrySuperUser: boolean;
  resultEntryClientAdmin: boolean;
  resultEntryClientBasic: boolean;
}

/** Whether the lab lets this role enter results (P 6; Laboratory whenever it is enabled). */
export function mayEnterResults(settings: ResultEntrySettings, role: Role): boolean {
  if (!settings.resultEntryEnabled) return false;
  switch (role) {
    case Role.LABORATORY:
      return true;
    case Role.SUPERUSER:
      return settings.resultEntrySuperUser;
    case Role.CLIENT_ADMIN:
      return settings.resultEntryClientAdmin;
    case Role.CLIENT_BASIC:
      return settings.resultEntryClientBasic;
    default:
      return false;
  }
}

export function useMayEnterResults(): boolean {
  const { user } = useSessionState();
  const settings = useQuery({
    queryKey: ['settings', 'result-entry'],
    queryFn: ({ signal }) =>
      api.get<ResultEntrySettings>('/api/system/settings/result-entry', { signal }),
    enabled: user !== null,
    staleTime: Infinity,
    meta: { quiet: true },
  });
  return user !== null && settings.data !== undefined && mayEnterResults(settings.data, user.role);
}
