import { queryOptions } from '@tanstack/react-query';

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

/** The results report of these orders. */
export const buildResultsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/order/results?${ids.map((id) => `ids=${id}`).join('&')}`,
  name: 'results.pdf',
});
