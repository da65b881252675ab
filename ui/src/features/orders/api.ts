import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';
import type { PortalDocument } from '../../device';

export const LIST_PATH = '/api/v2/orders/remote-operations';

/** A row of the laboratory results search (R 3). */
export type OrderRow = Wire<'OrdersRow'>;

export type Order = Wire<'OrderRead'>;

export const buildOrderPath = (id: number) => `/api/v2/orders/${id}`;

export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', id],
    queryFn: ({ signal }) => api.get<Order>(buildOrderPath(id), { signal }),
    meta: { quiet: true },
  });

/** Reloads an order after a write, without its results. */
export function reloadOrder(queries: QueryClient, id: number): void {
  void queries.invalidateQueries({ queryKey: orderQuery(id).queryKey, exact: true });
}

export const signOrders = (
  rows: readonly { id: number }[],
  image: string,
  username: string,
  idempotencyKey: string,
): Promise<Wire<'SignedOrders'>> =>
  api.post('/api/v2/orders/sign-multiple', {
    body: {
      image,
      username,
      ordersIds: rows.map((row) => row.id),
    } satisfies Wire<'SignOrdersRequest'>,
    idempotencyKey,
  });

export const unsignOrder = (
  row: { id: number; version: number },
  idempotencyKey: string,
): Promise<Order> =>
  api.post(`${buildOrderPath(row.id)}/unsign`, { version: row.version, idempotencyKey });

/** The results report of these orders. */
export const buildResultsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/order/results?${ids.map((id) => `ids=${id}`).join('&')}`,
  name: 'results.pdf',
});
