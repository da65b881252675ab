import { useCallback, useEffect, useRef, useState } from 'react';

import { api, loadPage, useLiveChanges, type Page, type Query } from '../../api';
import type { Grid } from '../../components/grid/useGrid';
import { useReloadSoon } from '../../components/useReloadSoon';
import { CriticalStatus, limits } from '../../contract';
import { LIST_PATH, type CriticalRow } from './api';

type Rows = readonly CriticalRow[];

/** Counts notices that are new in the list, have changed, or have left it. */
function countChanges(shownRows: Rows, presentRows: Rows): number {
  const presentVersions = new Map(presentRows.map(({ id, version }) => [id, version]));
  const sameRows = shownRows.filter(({ id, version }) => presentVersions.get(id) === version);
  const ids = new Set([...shownRows, ...presentRows].map(({ id }) => id));
  return ids.size - sameRows.length;
}

/** Whether the user no longer sees the order of a shown notice that is not in the list now. */
async function hasDeparted(shownRows: Rows, presentRows: Rows): Promise<boolean> {
  const presentIds = new Set(presentRows.map(({ id }) => id));
  const orderIds = shownRows.filter(({ id }) => !presentIds.has(id)).map(({ orderId }) => orderId);
  if (orderIds.length === 0) return false;
  const query = { orderIds, status: CriticalStatus.ALL, take: limits.TAKE_MAX };
  const { data } = await api.get<Page<CriticalRow>>(LIST_PATH, { query });
  const seenIds = new Set(data.map(({ orderId }) => orderId));
  return orderIds.some((id) => !seenIds.has(id));
}

/**
 * Returns the number of notices that have changed since the list was loaded. Any release may open a
 * notice, so the list is compared after each change of an order, and `onChange` is called.
 * If an order was moved to another physician, the list is loaded again at once.
 */
export function useChangedNotices(
  { rows, request, reload }: Grid<CriticalRow>,
  filters: Query,
  onChange: () => unknown,
): number {
  const [compared, setCompared] = useState<{ rows: Rows; count: number } | null>(null);
  const shown = useRef({ rows, request, reload, filters, onChange });
  useEffect(() => {
    shown.current = { rows, request, reload, filters, onChange };
  });
  const compare = useCallback(async () => {
    const { current } = shown;
    current.onChange();
    const page = await loadPage<CriticalRow>(LIST_PATH, current.request, current.filters);
    setCompared({ rows: current.rows, count: countChanges(current.rows, page.data) });
    if (await hasDeparted(current.rows, page.data)) current.reload();
  }, []);
  // After a failure, the next change is compared.
  const compareSoon = useReloadSoon(
    useCallback(() => void compare().catch(() => undefined), [compare]),
  );
  useLiveChanges('order', compareSoon);
  // Rows that were loaded later contain the changes already.
  return compared?.rows === rows ? compared.count : 0;
}
