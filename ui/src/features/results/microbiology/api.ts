import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../../api';
import type { Wire } from '../../../contract';
import { buildOrderPath, reloadOrder } from '../../orders/api';
import { resultsQueryKey, type WriteContext } from '../api';

export type MicrobiologyResult = Wire<'MicrobiologyResult'>;

export type CultureContent = Wire<'CultureContent'>;

export type OrganismResult = Wire<'OrganismShape'>;

export type Sensitivity = Wire<'SensitivityShape'>;

export type Correction = Wire<'CorrectionShape'>;

export type MicrobiologyEntryOrder = Wire<'MicrobiologyEntry'>;

export type CultureEntryTest = Wire<'CultureEntryTest'>;

export type CultureWrite = Wire<'CultureWrite'>;

export type CultureCheck = Wire<'CultureCheck'>;

export type MicrobiologyLists = Wire<'MicrobiologyLists'>;

export const microbiologyResultsQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'microbiology'),
    queryFn: ({ signal }) =>
      api.get<MicrobiologyResult[]>(`${buildOrderPath(id)}/microbiology-results`, { signal }),
    meta: { quiet: true },
  });

/** The lab's lists for the entry of cultures. */
export const microbiologyListsQuery = () =>
  queryOptions({
    queryKey: ['microbiology-lists'],
    queryFn: ({ signal }) => api.get<MicrobiologyLists>('/api/v2/microbiology/lists', { signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  });

export const loadMicrobiologyEntry = (id: number, signal?: AbortSignal) =>
  api.get<MicrobiologyEntryOrder>(`${buildOrderPath(id)}/microbiology-entry`, { signal });

export const microbiologyEntryQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'microbiology-entry'),
    queryFn: ({ signal }) => loadMicrobiologyEntry(id, signal),
    meta: { quiet: true },
  });

/** The portal's judgment of a culture as it is typed; nothing is stored. */
export const cultureCheckQuery = (id: number, orderTestId: number, body: CultureWrite) =>
  queryOptions({
    queryKey: [...resultsQueryKey(id, 'culture-check'), orderTestId, body],
    queryFn: ({ signal }) =>
      api.post<CultureCheck>(`${buildOrderPath(id)}/microbiology-entry/${orderTestId}/check`, {
        body,
        signal,
      }),
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });

/** Stores a saved, released or reloaded entry, and reloads the order that it belongs to. */
export function storeMicrobiologyEntry(queries: QueryClient, entry: MicrobiologyEntryOrder): void {
  const id = entry.orderId;
  queries.setQueryData(microbiologyEntryQuery(id).queryKey, entry);
  reloadOrder(queries, id);
  void queries.invalidateQueries({ queryKey: microbiologyResultsQuery(id).queryKey });
}

export const saveCulture = (
  id: number,
  orderTestId: number,
  body: CultureWrite,
  context: WriteContext,
) =>
  api.put<MicrobiologyEntryOrder>(`${buildOrderPath(id)}/microbiology-entry/${orderTestId}`, {
    body,
    ...context,
  });

export const releaseCulture = (
  id: number,
  orderTestId: number,
  kind: Wire<'MicrobiologyRelease'>['kind'],
  context: WriteContext,
) =>
  api.post<MicrobiologyEntryOrder>(`${buildOrderPath(id)}/microbiology-release`, {
    body: { kind, orderTestIds: [orderTestId] } satisfies Wire<'MicrobiologyRelease'>,
    ...context,
  });
