import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../../api';
import type { Wire } from '../../../contract';
import { buildOrderPath, reloadOrder } from '../../orders/api';
import { resultsQueryKey, type WriteContext } from '../api';

export type PathologyResult = Wire<'PathologyResult'>;

export type PathologyReport = Wire<'PathologyReportRead'>;

export type PathologyEntryOrder = Wire<'PathologyEntry'>;

export type PathologyEntryTest = Wire<'PathologyEntryTest'>;

export type PathologyReportWrite = Wire<'PathologyReportWrite'>;

export const pathologyResultsQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'pathology'),
    queryFn: ({ signal }) =>
      api.get<PathologyResult[]>(`${buildOrderPath(id)}/pathology-results`, { signal }),
    meta: { quiet: true },
  });

export const loadPathologyEntry = (id: number, signal?: AbortSignal) =>
  api.get<PathologyEntryOrder>(`${buildOrderPath(id)}/pathology-entry`, { signal });

export const pathologyEntryQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'pathology-entry'),
    queryFn: ({ signal }) => loadPathologyEntry(id, signal),
    meta: { quiet: true },
  });

/** Stores a saved, released or reloaded entry, and reloads the order that it belongs to. */
export function storePathologyEntry(queries: QueryClient, entry: PathologyEntryOrder): void {
  const id = entry.orderId;
  queries.setQueryData(pathologyEntryQuery(id).queryKey, entry);
  reloadOrder(queries, id);
  void queries.invalidateQueries({ queryKey: pathologyResultsQuery(id).queryKey });
}

export const saveReport = (
  id: number,
  orderTestId: number,
  body: PathologyReportWrite,
  context: WriteContext,
) =>
  api.put<PathologyEntryOrder>(`${buildOrderPath(id)}/pathology-entry/${orderTestId}`, {
    body,
    ...context,
  });

export const releaseReport = (id: number, orderTestId: number, context: WriteContext) =>
  api.post<PathologyEntryOrder>(`${buildOrderPath(id)}/pathology-release`, {
    body: { orderTestIds: [orderTestId] } satisfies Wire<'PathologyRelease'>,
    ...context,
  });
