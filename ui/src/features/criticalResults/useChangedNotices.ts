import { useCallback, useEffect, useRef, useState } from 'react';

import { loadPage, useLiveChanges, type Query } from '../../api';
import type { Grid } from '../../components/grid/useGrid';
import { useReloadSoon } from '../../components/useReloadSoon';
import { LIST_PATH, type CriticalRow } from './api';

type Rows = readonly CriticalRow[];

/** Counts notices that are new in the list, have changed, or have left it. */
function countChanges(shownRows: Rows, presentRows: Rows): number {
  const presentVersions = new Map(presentRows.map(({ id, version }) => [id, version]));
  const sameRows = shownRows.filter(({ id, version }) => presentVersions.get(id) === version);
  const ids = new Set([...shownRows, ...presentRows].map(({ id }) => id));
  return ids.size - sameRows.length;
}

/**
 * Returns the number of notices that have changed since the list was loaded. Any release may open a
 * notice, so the list is compared after each change of an order, and `onChange` is called.
 */
export function useChangedNotices(
  { rows, request }: Grid<CriticalRow>,
  filters: Query,
  onChange: () => unknown,
): number {
  const [compared, setCompared] = useState<{ rows: Rows; count: number } | null>(null);
  const shown = useRef({ rows, request, filters, onChange });
  useEffect(() => {
    shown.current = { rows, request, filters, onChange };
  });
  const compare = useCallback(async () => {
    const { current } = shown;
    current.onChange();
    const page = await loadPage<CriticalRow>(LIST_PATH, current.request, current.filters);
    setCompared({ rows: current.rows, count: countChanges(current.rows, page.data) });
  }, []);
  // After a failure, the next change is compared.
  const compareSoon = useReloadSoon(
    useCallback(() => void compare().catch(() => undefined), [compare]),
  );
  useLiveChanges('order', compareSoon);
  // Rows that were loaded later have the changes.
  return compared?.rows === rows ? compared.count : 0;
}
