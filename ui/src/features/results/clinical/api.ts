import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../../api';
import type { Wire } from '../../../contract';
import { buildOrderPath, reloadOrder } from '../../orders/api';
import { resultsQueryKey, type TestAct, type WriteContext } from '../api';

/** A row of the clinical tree (R 3). */
export type ClinicalRow = Wire<'ClinicalResultRow'>;

export type Correction = ClinicalRow['corrections'][number];

export type EntryRow = Wire<'EntryRow'>;

export type ResultEntry = Wire<'ResultEntry'>;

/** A result of a save that was released automatically, or waits for a reason. */
export type AutoverifiedResult = Wire<'AutoverifiedResult'>;

export type ResultWrite = Wire<'ResultWrite'>;

export const clinicalResultsQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'clinical'),
    queryFn: ({ signal }) =>
      api.get<ClinicalRow[]>(`${buildOrderPath(id)}/clinical-results`, { signal }),
    meta: { quiet: true },
  });

export const loadResultEntry = (id: number, signal?: AbortSignal) =>
  api.get<ResultEntry>(`${buildOrderPath(id)}/result-entry`, { signal });

export const resultEntryQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'clinical-entry'),
    queryFn: ({ signal }) => loadResultEntry(id, signal),
    meta: { quiet: true },
  });

/** Stores saved, released or reloaded results, and reloads the order that they belong to. */
export function storeResultEntry(queries: QueryClient, entry: ResultEntry): void {
  const id = entry.orderId;
  queries.setQueryData(resultEntryQuery(id).queryKey, entry);
  reloadOrder(queries, id);
  void queries.invalidateQueries({ queryKey: clinicalResultsQuery(id).queryKey });
}

export type LastValues = Wire<'LastValues'>;

/** The patient's earlier values of the order's tests. */
export const lastValuesQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'last-values'),
    queryFn: ({ signal }) => api.get<LastValues[]>(`${buildOrderPath(id)}/last-values`, { signal }),
    meta: { quiet: true },
  });

/** Reloads the earlier values after a change of another order of the patient. */
export function reloadLastValues(queries: QueryClient, id: number): void {
  void queries.invalidateQueries({ queryKey: lastValuesQuery(id).queryKey });
}

/** An act on saved results: its path below the order, and its body. */
export type ResultAct =
  | { path: 'release'; body: Wire<'ReleaseRequest'> }
  | { path: 'verify'; body: Wire<'VerifyRequest'> }
  | TestAct;

export const sendResultAct = (id: number, { path, body }: ResultAct, context: WriteContext) =>
  api.post<ResultEntry>(`${buildOrderPath(id)}/${path}`, { body, ...context });

export const saveResults = (id: number, results: ResultWrite[], context: WriteContext) =>
  api.put<ResultEntry>(`${buildOrderPath(id)}/result-entry`, {
    body: { results } satisfies Wire<'ResultEntryWrite'>,
    ...context,
  });
