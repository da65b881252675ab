import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';

import { api, useSessionState } from '../../api';
import type { Wire } from '../../contract';

export type Legal = Wire<'LegalRead'>;

const PATH = '/api/system/legal';
const KEY = ['legal'] as const;

const legalQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => api.get<Legal>(PATH, { signal }),
  staleTime: Infinity,
  meta: { quiet: true },
});

/** The versions that the user still has to accept; null if none, or while that is unknown. */
export function useDueDocuments(): Legal | null {
  const { user } = useSessionState();
  // The portal denies everything else until a required second factor is set up.
  const mayRead = user !== null && !user.mustSetUpSecondFactor;
  const { data } = useQuery({ ...legalQuery, enabled: mayRead });
  return data?.isDue === true ? data : null;
}

export function useStoreLegal(): (legal: Legal) => void {
  const queries: QueryClient = useQueryClient();
  return (legal) => queries.setQueryData(KEY, legal);
}

export const acceptDocuments = (
  body: Wire<'AcceptanceWrite'>,
  idempotencyKey: string,
): Promise<Legal> => api.post(`${PATH}/acceptances`, { body, idempotencyKey });
