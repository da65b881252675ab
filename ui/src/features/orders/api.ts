import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';
import type { PortalDocument } from '../../device';

export const LIST_PATH = '/api/v2/orders/remote-operations';

/** A row of the laboratory results search (R 3). */
export type OrderRow = Wire<'OrdersRow'>;

export type Order = Wire<'OrderRead'>;

/** A row of the clinical tree (R 3). */
export type ClinicalRow = Wire<'ClinicalResultRow'>;

export type ResultsTypes = Wire<'ResultsTypes'>;

export type EntryRow = Wire<'EntryRow'>;

export type ResultEntry = Wire<'ResultEntry'>;

export type ResultWrite = Wire<'ResultWrite'>;

interface WriteContext {
  version: number;
  idempotencyKey: string;
}

const buildPath = (id: number) => `/api/v2/orders/${id}`;

const ORDERS = 'orders';

export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: [ORDERS, id],
    queryFn: ({ signal }) => api.get<Order>(buildPath(id), { signal }),
    meta: { quiet: true },
  });

/** The result families that an order has. */
export const resultsTypesQuery = (id: number) =>
  queryOptions({
    queryKey: [ORDERS, id, 'types'],
    queryFn: ({ signal }) => api.get<ResultsTypes>(`${buildPath(id)}/results-types`, { signal }),
    meta: { quiet: true },
  });

export const clinicalResultsQuery = (id: number) =>
  queryOptions({
    queryKey: [ORDERS, id, 'clinical'],
    queryFn: ({ signal }) =>
      api.get<ClinicalRow[]>(`${buildPath(id)}/clinical-results`, { signal }),
    meta: { quiet: true },
  });

export const loadResultEntry = (id: number, signal?: AbortSignal) =>
  api.get<ResultEntry>(`${buildPath(id)}/result-entry`, { signal });

export const resultEntryQuery = (id: number) =>
  queryOptions({
    queryKey: [ORDERS, id, 'entry'],
    queryFn: ({ signal }) => loadResultEntry(id, signal),
    meta: { quiet: true },
  });

/** Stores saved, released or reloaded results, and reloads the order that they belong to. */
export function storeResultEntry(queries: QueryClient, entry: ResultEntry): void {
  const id = entry.orderId;
  queries.setQueryData(resultEntryQuery(id).queryKey, entry);
  void queries.invalidateQueries({ queryKey: orderQuery(id).queryKey, exact: true });
  void queries.invalidateQueries({ queryKey: clinicalResultsQuery(id).queryKey });
}

export const saveResults = (id: number, results: ResultWrite[], context: WriteContext) =>
  api.put<ResultEntry>(`${buildPath(id)}/result-entry`, {
    body: { results } satisfies Wire<'ResultEntryWrite'>,
    ...context,
  });

export const releaseResults = (id: number, context: WriteContext) =>
  api.post<ResultEntry>(`${buildPath(id)}/release`, {
    body: { orderTestIds: null } satisfies Wire<'ReleaseRequest'>,
    ...context,
  });

/** The results report of these orders. */
export const buildResultsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/order/results?${ids.map((id) => `ids=${id}`).join('&')}`,
  name: 'results.pdf',
});
