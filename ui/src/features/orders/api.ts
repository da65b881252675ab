import { queryOptions, type QueryClient, type QueryFilters } from '@tanstack/react-query';

import { api, collectVersions, type Page } from '../../api';
import type { SaveContext } from '../../components/forms/recordForm';
import type { Wire } from '../../contract';
import type { LoadedFile, PortalDocument } from '../../device';
import { readDataUrl } from '../../lib/files';
import { EARLIER_RECIPIENTS } from '../transmissions/api';
import type { UnreadFilter } from './acknowledging';

export const LIST_PATH = '/api/v2/orders/remote-operations';

/** A row of the laboratory results search (R 3). */
export type OrderRow = Wire<'OrdersRow'>;

export type Order = Wire<'OrderRead'>;

export const buildOrderPath = (id: number) => `/api/v2/orders/${id}`;

/** The badge of an order with a critical result. The lab writes the other badges (R 4). */
export const CRITICAL_BADGE = 'CRITICAL';

/** Whether a released result of the order is critical. */
export const hasCritical = ({ alertBadges }: Pick<Order, 'alertBadges'>) =>
  alertBadges.includes(CRITICAL_BADGE);

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

/** A comment that an order has or had. */
export type OrderComment = Wire<'CommentVersion'>;

/** The comments that an order has had, newest first; for the lab. */
export const orderCommentsQuery = (id: number) =>
  queryOptions({
    queryKey: [...orderQuery(id).queryKey, 'comments'],
    queryFn: ({ signal }) =>
      api.get<OrderComment[]>(`${buildOrderPath(id)}/report-comments`, { signal }),
    meta: { quiet: true },
  });

/** Writes the comment on an order; null removes it. */
export const writeOrderComment = (
  id: number,
  comment: string | null,
  context: { version: number; idempotencyKey: string },
): Promise<Order> =>
  api.put(`${buildOrderPath(id)}/report-comment`, {
    body: { comment } satisfies Wire<'CommentWrite'>,
    ...context,
  });

export const signOrders = (
  rows: readonly { id: number; version: number }[],
  image: string,
  username: string,
  idempotencyKey: string,
): Promise<Wire<'SignedOrders'>> =>
  api.post('/api/v2/orders/sign-multiple', {
    body: {
      image,
      username,
      ordersIds: rows.map((row) => row.id),
      versions: collectVersions(rows),
    } satisfies Wire<'SignOrdersRequest'>,
    idempotencyKey,
  });

export const unsignOrder = (
  row: { id: number; version: number },
  idempotencyKey: string,
): Promise<Order> =>
  api.post(`${buildOrderPath(row.id)}/unsign`, { version: row.version, idempotencyKey });

/** Removes the user's own signatures of several orders, all or none. */
export const unsignOrders = (
  rows: readonly { id: number; version: number }[],
  idempotencyKey: string,
): Promise<Wire<'SignedOrders'>> =>
  api.post('/api/v2/orders/unsign-multiple', {
    body: {
      ordersIds: rows.map((row) => row.id),
      versions: collectVersions(rows),
    } satisfies Wire<'UnsignOrdersRequest'>,
    idempotencyKey,
  });

/** Acknowledges the results that the user has seen, all or none. */
export const acknowledgeOrders = (
  rows: readonly { id: number; version: number }[],
  idempotencyKey: string,
): Promise<Wire<'AcknowledgedOrders'>> =>
  api.put('/api/v2/orders/acknowledge', {
    query: { ids: rows.map(({ id }) => id) },
    body: {
      versions: collectVersions(rows),
    } satisfies Wire<'AcknowledgeRequest'>,
    idempotencyKey,
  });

/** Finds the next order with unread results, other than this one; null if there is none. */
export async function findNextUnread(filter: UnreadFilter, id: number): Promise<number | null> {
  const { data } = await api.get<Page<OrderRow>>(LIST_PATH, {
    query: { [filter]: true, take: 2, sort: '-id' },
  });
  return data.find((row) => row.id !== id)?.id ?? null;
}

/** The results report of an order. */
export const buildResultsDocument = (id: number): PortalDocument => ({
  path: `/api/v2/reports/order/results?ids=${id}`,
  name: 'results.pdf',
});

/** The tests whose results have a column in the order search; the lab chooses up to five. */
export const resultColumnsQuery = queryOptions({
  queryKey: ['settings', 'web-results'],
  queryFn: ({ signal }) =>
    api.get<Wire<'WebResultSettings'>>('/api/v2/public-settings/web-results', { signal }),
  select: ({ tests }) => tests,
  staleTime: Infinity,
  meta: { quiet: true },
});

/** An order with its history. */
export const buildDetailsDocument = (id: number): PortalDocument => ({
  path: `/api/v2/reports/order/details?ids=${id}`,
  name: 'order-details.pdf',
});

/** The results report of an order before its release, as a file. */
export async function loadPreview(id: number): Promise<LoadedFile> {
  const content = await api.blob('/api/v2/reports/order/results-preview', {
    body: { ids: [id] } satisfies Wire<'ReportRequest'>,
  });
  const [, base64 = ''] = (await readDataUrl(content)).split(',');
  return { base64, mediaType: 'application/pdf', name: 'results-preview.pdf' };
}

/** Changes who is billed for one or more orders, all or none. */
export function changeOrdersBillTo(
  rows: readonly { id: number; version: number }[],
  billTo: string,
  idempotencyKey: string,
): Promise<unknown> {
  const body = {
    billTo,
    ids: rows.map((row) => row.id),
    versions: collectVersions(rows),
  } satisfies Wire<'BillToRequest'>;
  return api.put('/api/v2/orders/change-bill-to', { body, idempotencyKey });
}

/** Who received the results of an order before their last correction. */
export type EarlierRecipient = Wire<'EarlierRecipient'>;

export const earlierRecipientsQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', id, EARLIER_RECIPIENTS],
    queryFn: ({ signal }) =>
      api.get<Wire<'EarlierRecipients'>>(`${buildOrderPath(id)}/earlier-recipients`, { signal }),
    meta: { quiet: true },
  });

/** The tests and panels of an order. */
export type OrderedTest = Wire<'OrderedTestRead'>;

export const orderTestsQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', id, 'tests'],
    queryFn: ({ signal }) => api.get<OrderedTest[]>(`${buildOrderPath(id)}/tests`, { signal }),
    meta: { quiet: true },
  });

/** Cancels tests of an order with a reason from the lab's list. */
export const cancelTests = (
  { id, version }: { id: number; version: number },
  body: Wire<'CancelTestsRequest'>,
  idempotencyKey: string,
): Promise<Order> =>
  api.post(`${buildOrderPath(id)}/cancel`, {
    body: body satisfies Wire<'CancelTestsRequest'>,
    version,
    idempotencyKey,
  });

/** Undoes the cancellation of all canceled tests of an order. */
export const reinstateTests = (
  { id, version }: { id: number; version: number },
  idempotencyKey: string,
): Promise<Order> =>
  api.post(`${buildOrderPath(id)}/reinstate`, {
    body: {} satisfies Wire<'ReinstateTestsRequest'>,
    version,
    idempotencyKey,
  });

/** Reloads an order with everything that belongs to it. */
export function reloadOrderWithParts(queries: QueryClient, id: number): void {
  void queries.invalidateQueries({ queryKey: orderQuery(id).queryKey });
}

/** Selects the loaded queries of an order and its parts, which a write reloads. */
export const buildReloadFilter = (id: number): QueryFilters => ({
  queryKey: orderQuery(id).queryKey,
  predicate: ({ state }) => state.data !== undefined,
});

const buildBillingPath = (id: number) => `${buildOrderPath(id)}/billing-information`;

export const loadOrderBilling = (id: number): Promise<Wire<'OrderBillingRead'>> =>
  api.get(buildBillingPath(id));

/** The data of an order's missing-information form. The form holds it, not the cache. */
export const orderBillingQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', id, 'billing-information'],
    queryFn: () => loadOrderBilling(id),
    gcTime: 0,
    meta: { quiet: true },
  });

/** Fills in the missing data of an order and its patient. */
export const saveOrderBilling = (
  id: number,
  body: Wire<'OrderBillingWrite'>,
  context: SaveContext,
): Promise<Wire<'OrderBillingRead'>> =>
  api.put(buildBillingPath(id), { body: body satisfies Wire<'OrderBillingWrite'>, ...context });

/** Whether the lab offers to fill in missing information (R 7). */
export const missingInfoSettingsQuery = queryOptions({
  queryKey: ['settings', 'missing-info'],
  queryFn: ({ signal }) =>
    api.get<Wire<'MissingInfoSettings'>>('/api/v2/public-settings/missing-info', { signal }),
  staleTime: Infinity,
  meta: { quiet: true },
});
