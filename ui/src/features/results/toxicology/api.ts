import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../../api';
import type { Wire } from '../../../contract';
import { buildOrderPath, reloadOrder } from '../../orders/api';
import { resultsQueryKey, type WriteContext } from '../api';

export type ToxicologyRow = Wire<'ToxicologyRow'>;

export type OtherMedication = Wire<'OtherMedication'>;

export type ToxicologyEntryOrder = Wire<'ToxicologyEntry'>;

export type ToxicologyEntryRow = Wire<'ToxicologyEntryRow'>;

export type ToxicologyResultWrite = Wire<'ToxicologyResultWrite'>;

const FAMILY = 'toxicology';

/** The sections of verdicts, by the part of their path. */
export type VerdictPart =
  'expected-results' | 'unexpected-negative-results' | 'unexpected-positive-results';

/** The rows of a section: verdicts with the tests behind them, or all tests. */
export const toxicologyRowsQuery = (id: number, part: VerdictPart | 'alpha-results') =>
  queryOptions({
    queryKey: [...resultsQueryKey(id, FAMILY), part],
    queryFn: ({ signal }) =>
      api.get<ToxicologyRow[]>(`${buildOrderPath(id)}/toxicology-${part}`, { signal }),
    meta: { quiet: true },
  });

export const otherMedicationsQuery = (id: number) =>
  queryOptions({
    queryKey: [...resultsQueryKey(id, FAMILY), 'other-medications'],
    queryFn: ({ signal }) =>
      api.get<OtherMedication[]>(`${buildOrderPath(id)}/toxicology-other-medications`, { signal }),
    meta: { quiet: true },
  });

export const loadToxicologyEntry = (id: number, signal?: AbortSignal) =>
  api.get<ToxicologyEntryOrder>(`${buildOrderPath(id)}/toxicology-entry`, { signal });

export const toxicologyEntryQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'toxicology-entry'),
    queryFn: ({ signal }) => loadToxicologyEntry(id, signal),
    meta: { quiet: true },
  });

/** Stores a saved, released or reloaded entry, and reloads the order that it belongs to. */
export function storeToxicologyEntry(queries: QueryClient, entry: ToxicologyEntryOrder): void {
  const id = entry.orderId;
  queries.setQueryData(toxicologyEntryQuery(id).queryKey, entry);
  reloadOrder(queries, id);
  void queries.invalidateQueries({ queryKey: resultsQueryKey(id, FAMILY) });
}

export const saveToxicologyResults = (
  id: number,
  results: ToxicologyResultWrite[],
  context: WriteContext,
) =>
  api.put<ToxicologyEntryOrder>(`${buildOrderPath(id)}/toxicology-entry`, {
    body: { results } satisfies Wire<'ToxicologyEntryWrite'>,
    ...context,
  });

export const releaseToxicologyResults = (id: number, context: WriteContext) =>
  api.post<ToxicologyEntryOrder>(`${buildOrderPath(id)}/toxicology-release`, {
    body: { orderTestIds: null } satisfies Wire<'ToxicologyRelease'>,
    ...context,
  });
