import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';

export type DueTube = Wire<'DueTube'>;
export type Specimens = Wire<'SpecimensRead'>;
export type Specimen = Specimens['tubes'][number];
export type ClientToCall = Wire<'ClientToCall'>;
export type TubeWrite = Wire<'TubeWrite'>;

/** The tubes that a requisition needs, as its labels name them. */
export const dueTubesQuery = (requisitionId: number) =>
  queryOptions({
    queryKey: ['requisitions', requisitionId, 'tubes'],
    queryFn: ({ signal }) =>
      api.get<DueTube[]>(`/api/v2/requisitions/${requisitionId}/tubes`, { signal }),
    meta: { quiet: true },
  });

const buildPath = (orderId: number) => `/api/v2/orders/${orderId}/specimens`;

/** The tubes of an order: received, expected, and rejected. */
export const specimensQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['orders', orderId, 'specimens'],
    queryFn: ({ signal }) => api.get<Specimens>(buildPath(orderId), { signal }),
    meta: { quiet: true },
  });

/** The changed tubes of an order, and details about receiving them. */
export interface SpecimensChange {
  orderId: number;
  version: number;
  tubes: TubeWrite[];
  entryAlert: string | null;
  collectionSite: string | null;
}

export const saveSpecimens = (
  { orderId, version, ...body }: SpecimensChange,
  idempotencyKey: string,
): Promise<Specimens> =>
  api.put(buildPath(orderId), {
    body: body satisfies Wire<'SpecimensWrite'>,
    version,
    idempotencyKey,
  });

/** Shows changed specimens, and reloads the order and all data that depend on them. */
export function storeSpecimens(queries: QueryClient, specimens: Specimens): void {
  const { queryKey } = specimensQuery(specimens.orderId);
  queries.setQueryData(queryKey, specimens);
  void queries.invalidateQueries({
    queryKey: ['orders', specimens.orderId],
    predicate: (query) => query.queryKey.at(-1) !== queryKey.at(-1),
  });
}

/** Reloads the specimens of an order, which somebody else has changed. */
export function reloadSpecimens(queries: QueryClient, orderId: number): void {
  void queries.invalidateQueries({ queryKey: specimensQuery(orderId).queryKey });
}
