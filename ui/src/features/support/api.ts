import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { limits, type Wire } from '../../contract';

export type SupplyCategory = Wire<'SupplyCategoryShape'>;
export type SupportRequest = Wire<'SupportRequestRead'>;

const REQUESTS = ['support-requests'] as const;

export const supplyCategoriesQuery = queryOptions({
  queryKey: ['supply-categories'],
  queryFn: ({ signal }) => api.get<SupplyCategory[]>('/api/settings/supply-categories', { signal }),
  retry: limits.READ_RETRIES,
  meta: { quiet: true },
});

/** The user's own requests, refreshed while one of them waits to be sent. */
export const ownRequestsQuery = queryOptions({
  queryKey: REQUESTS,
  queryFn: ({ signal }) => api.get<SupportRequest[]>('/api/system/support-requests', { signal }),
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === 'waiting') ? limits.SUPPORT_REFRESH_MS : false,
  meta: { quiet: true },
});

/** Reloads the user's requests after one was accepted. */
export function reloadOwnRequests(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: REQUESTS });
}

/** Sends a message to the lab. A false answer means that it was not accepted (P 7). */
export const writeToLab = (body: Wire<'ContactWrite'>, idempotencyKey: string): Promise<boolean> =>
  api.post('/api/system/contacts/email', { body, idempotencyKey });

export const requestSupplies = (
  body: Wire<'SupplyRequestWrite'>,
  idempotencyKey: string,
): Promise<boolean> => api.post('/api/system/supplies/email', { body, idempotencyKey });
