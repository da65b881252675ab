import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, type Page } from '../../api';
import { CriticalStatus, type Wire } from '../../contract';
import { waitingQuery } from '../waiting/api';

export const LIST_PATH = '/api/v2/critical-results/remote-operations';

/** An order with critical results, and the people that the lab has notified. */
export type CriticalRow = Wire<'CriticalResultsRow'>;

export type CriticalResult = Wire<'CriticalResultRead'>;

const buildPath = (id: number) => `/api/v2/critical-results/${id}`;

/** The shortest time between two reads, since the clocks of this computer and the portal differ. */
const OVERDUE_CHECK_MS = 1_000;

/** Returns the time until a notice may be overdue, or false if it cannot become overdue. */
function getTimeToLimit(notice: CriticalResult | undefined): number | false {
  if (notice === undefined || notice.isOverdue) return false;
  if (notice.toldAt !== null || notice.closedAt !== null) return false;
  return Math.max(Date.parse(notice.dueAt) - Date.now(), OVERDUE_CHECK_MS);
}

/** A notice, read again when its time limit passes. */
export const criticalResultQuery = (id: number) =>
  queryOptions({
    queryKey: ['critical-results', id],
    queryFn: ({ signal }) => api.get<CriticalResult>(buildPath(id), { signal }),
    refetchInterval: ({ state }) => getTimeToLimit(state.data),
    meta: { quiet: true },
  });

/**
 * The newest notice of an order's critical results, in a list. Pass the version of the order to
 * load the notice again after each change of the order.
 */
export const orderNoticesQuery = (orderId: number, ...version: [] | [number]) =>
  queryOptions({
    queryKey: ['critical-results', 'order', orderId, ...version],
    queryFn: async ({ signal }) => {
      const query = { orderIds: [orderId], status: CriticalStatus.ALL, take: 1, sort: '-openedAt' };
      return (await api.get<Page<CriticalRow>>(LIST_PATH, { query, signal })).data;
    },
    meta: { quiet: true },
  });

/** Reloads the notice of an order after a call, or after a release that may have opened one. */
export function reloadOrderNotices(queries: QueryClient, orderId: number): void {
  void queries.invalidateQueries({ queryKey: orderNoticesQuery(orderId).queryKey });
}

/** The number of notices for each status mask. */
export const criticalCountsQuery = (masks: readonly string[]) =>
  queryOptions({
    queryKey: ['critical-results', 'counts'],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        masks.map((status) =>
          api.get<Page<CriticalRow>>(LIST_PATH, { query: { status, take: 1 }, signal }),
        ),
      );
      return new Map(pages.map((page, i) => [masks[i], formatCount(page)]));
    },
    meta: { quiet: true },
  });

const formatCount = ({ totalCount, totalIsCapped }: Page<CriticalRow>): string =>
  totalIsCapped ? `${totalCount}+` : String(totalCount);

/** Stores the answer of a write, and reloads the counts. */
export function storeCriticalResult(queries: QueryClient, criticalResult: CriticalResult): void {
  queries.setQueryData(criticalResultQuery(criticalResult.id).queryKey, criticalResult);
  reloadOrderNotices(queries, criticalResult.orderId);
  void queries.invalidateQueries({ queryKey: criticalCountsQuery([]).queryKey });
  void queries.invalidateQueries({ queryKey: waitingQuery.queryKey });
}

export const recordCall = (
  { id, version }: CriticalResult,
  call: Wire<'CallWrite'>,
  idempotencyKey: string,
): Promise<CriticalResult> =>
  api.post(`${buildPath(id)}/calls`, { body: call, version, idempotencyKey });

export const closeCriticalResult = (
  { id, version }: CriticalResult,
  note: string | null,
  idempotencyKey: string,
): Promise<CriticalResult> =>
  api.post(`${buildPath(id)}/close`, {
    body: { note } satisfies Wire<'CloseWrite'>,
    version,
    idempotencyKey,
  });
