import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { limits, type Wire } from '../../contract';

export const PATH = '/api/system/operations';

export type OperationsState = Wire<'OperationsRead'>;

/** The state that Operations shows; refreshed while the page is visible. */
export const operationsQuery = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => api.get<OperationsState>(PATH, { signal }),
  refetchInterval: limits.OPERATIONS_REFRESH_MS,
  meta: { quiet: true },
});

export const refreshOperations = (queries: QueryClient): void =>
  void queries.invalidateQueries({ queryKey: operationsQuery.queryKey });

export const retryJob = (id: number, idempotencyKey: string): Promise<undefined> =>
  api.post(`${PATH}/jobs/${id}/retry`, { idempotencyKey });

export const giveUpJob = (id: number, idempotencyKey: string): Promise<undefined> =>
  api.post(`${PATH}/jobs/${id}/give-up`, { idempotencyKey });
