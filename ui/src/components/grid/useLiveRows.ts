import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { api, useLiveChanges, type Page } from '../../api';
import { limits } from '../../contract';

/** Which records a grid shows, and where single rows of it are read. */
export interface LiveRows {
  /** The kind of record in the stream of changes. */
  kind: string;
  /** Answers the rows of `ids`. */
  path: string;
}

interface Versioned {
  version?: number;
}

interface Options<Row> {
  live: LiveRows | undefined;
  queryKey: QueryKey;
  rows: readonly Row[];
  rowId: (row: Row) => number;
  /** When the rows were loaded; another moment means that nothing is waiting any more. */
  loadedAt: number;
}

/**
 * Visible rows that somebody changed are put in place; how many others did change is answered.
 * Nothing is loaded anew and no selection is lost.
 */
export function useLiveRows<Row>({ live, queryKey, rows, rowId, loadedAt }: Options<Row>): number {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<{ at: number; ids: ReadonlySet<number> }>({
    at: loadedAt,
    ids: new Set(),
  });
  // Rows that a load took away were mostly changed by who asked for it, a moment before: what is
  // heard of them just after it is in it already.
  const shownAt = useRef({ at: 0, ids: new Set<number>(), gone: [] as number[] });
  useEffect(() => {
    const before = shownAt.current;
    if (before.at === loadedAt) return;
    const ids = new Set(rows.map(rowId));
    shownAt.current = { at: loadedAt, ids, gone: [...before.ids].filter((id) => !ids.has(id)) };
  }, [loadedAt, rows, rowId]);
  const isInLoad = (id: number) =>
    shownAt.current.gone.includes(id) && Date.now() - loadedAt < limits.LIVE_SETTLED_MS;

  const stale = useRef(new Set<number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const patch = async () => {
    const ids = [...stale.current];
    stale.current.clear();
    if (live === undefined || ids.length === 0) return;
    const fresh = await api.get<Row[]>(live.path, { query: { ids } });
    const byId = new Map(fresh.map((row) => [rowId(row), row]));
    queries.setQueryData<Page<Row>>(
      queryKey,
      (page) => page && { ...page, data: page.data.map((row) => byId.get(rowId(row)) ?? row) },
      // Still the same load: a newer one would clear the selection.
      { updatedAt: loadedAt },
    );
  };

  useLiveChanges(live?.kind ?? null, (change) => {
    if (loadedAt === 0) return;
    const shown = change && rows.find((row) => rowId(row) === change.id);
    if (shown) {
      // One's own act has been seen already.
      if (((shown as Versioned).version ?? 0) >= change.version) return;
      stale.current.add(change.id);
      clearTimeout(timer.current);
      // What fails here is seen at the next load.
      timer.current = setTimeout(() => void patch().catch(() => undefined), limits.LIVE_PATCH_MS);
      return;
    }
    if (change && isInLoad(change.id)) return;
    setWaiting((now) => ({
      at: loadedAt,
      ids: new Set([...(now.at === loadedAt ? now.ids : []), change?.id ?? 0]),
    }));
  });
  return waiting.at === loadedAt ? waiting.ids.size : 0;
}
