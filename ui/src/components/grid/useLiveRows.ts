import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { api, useLiveChanges, type Page } from '../../api';
import { limits } from '../../contract';

/** The records that a grid shows, and the call that loads one row. */
export interface LiveRows {
  /** The kind of record in the stream of changes. */
  kind: string;
  /** The path that returns the rows of `ids`. Without it, changes of visible rows are counted. */
  path?: string;
  /** The path that tells which of `ids` the user still sees, if the grid has rows of its own. */
  scopePath?: string;
  /** Whether a change may keep the version, as the signature of an order does. */
  mayKeepVersion?: boolean;
}

interface VersionedRecord {
  version?: number;
}

interface Options<Row> {
  live: LiveRows | undefined;
  queryKey: QueryKey;
  rows: readonly Row[];
  getRowId: (row: Row) => number;
  /** When the rows were loaded. A new load resets the count of changes. */
  loadedAt: number;
  /** Called for each change that the rows do not show yet. */
  onChange?: (() => void) | undefined;
  /** Called with the rows that the user may no longer see and that left the grid. */
  onRemove: (ids: ReadonlySet<number>) => void;
}

/** Returns the page without the rows that the user may no longer see. */
function removeRows<Row>(page: Page<Row>, isGone: (row: Row) => boolean): Page<Row> {
  const data = page.data.filter((row) => !isGone(row));
  return { ...page, data, totalCount: page.totalCount - (page.data.length - data.length) };
}

/** Returns the fresh row, unless there is none or the shown row is newer. */
function chooseNewer<Row>(row: Row, freshRow: Row | undefined): Row {
  if (freshRow === undefined) return row;
  const getVersion = (record: Row) => (record as VersionedRecord).version ?? 0;
  return getVersion(freshRow) < getVersion(row) ? row : freshRow;
}

/**
 * Updates visible rows that somebody changed, and returns the number of other changes. Reloads
 * nothing and keeps the selection. A row that the user may no longer see, because it has another
 * physician or client now, leaves the grid at once.
 */
export function useLiveRows<Row>({
  live,
  queryKey,
  rows,
  getRowId,
  loadedAt,
  onChange,
  onRemove,
}: Options<Row>): number {
  const queries = useQueryClient();
  const [pendingChanges, setPendingChanges] = useState<{ at: number; ids: ReadonlySet<number> }>({
    at: loadedAt,
    ids: new Set(),
  });
  // A row that is gone after a load was usually changed by this user just before. The announcement
  // of that change may arrive after the load, which already contains it.
  const lastLoad = useRef({ at: 0, ids: new Set<number>(), removedIds: [] as number[] });
  useEffect(() => {
    const previous = lastLoad.current;
    if (previous.at === loadedAt) return;
    const ids = new Set(rows.map(getRowId));
    lastLoad.current = {
      at: loadedAt,
      ids,
      removedIds: [...previous.ids].filter((id) => !ids.has(id)),
    };
  }, [loadedAt, rows, getRowId]);
  const isChangeInLastLoad = (id: number) =>
    lastLoad.current.removedIds.includes(id) && Date.now() - loadedAt < limits.LIVE_ECHO_MS;

  const staleIds = useRef(new Set<number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const countChange = (id: number) => {
    onChange?.();
    setPendingChanges((current) => ({
      at: loadedAt,
      ids: new Set([...(current.at === loadedAt ? current.ids : []), id]),
    }));
  };

  const patchRows = async (path: string) => {
    const ids = [...staleIds.current];
    staleIds.current.clear();
    try {
      const freshRows = await api.get<Row[]>(path, { query: { ids } });
      const byId = new Map(freshRows.map((row) => [getRowId(row), row]));
      const goneIds = new Set(ids.filter((id) => !byId.has(id)));
      queries.setQueryData<Page<Row>>(
        queryKey,
        (page) =>
          page &&
          removeRows(
            live?.path === undefined
              ? page
              : {
                  ...page,
                  data: page.data.map((row) => chooseNewer(row, byId.get(getRowId(row)))),
                },
            (row) => goneIds.has(getRowId(row)),
          ),
        // Keep the time of the load: a newer time would clear the selection.
        { updatedAt: loadedAt },
      );
      if (goneIds.size > 0) onRemove(goneIds);
      // Counted, so that the user refreshes: only that loads the row that moves up to this page.
      goneIds.forEach(countChange);
    } catch {
      ids.forEach(countChange);
    }
  };

  useLiveChanges(live?.kind ?? null, (change) => {
    if (loadedAt === 0) return;
    const visibleRow = change && rows.find((row) => getRowId(row) === change.id);
    if (visibleRow) {
      const shownVersion = (visibleRow as VersionedRecord).version ?? 0;
      // The row shows this change already, because it is the user's own or was loaded later.
      if (shownVersion > change.version) return;
      if (shownVersion === change.version && live?.mayKeepVersion !== true) return;
      if (live?.path === undefined) countChange(change.id);
      else onChange?.();
      const path = live?.path ?? live?.scopePath;
      if (path === undefined) return;
      staleIds.current.add(change.id);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void patchRows(path), limits.LIVE_PATCH_MS);
      return;
    }
    if (change && isChangeInLastLoad(change.id)) return;
    countChange(change?.id ?? 0);
  });
  return pendingChanges.at === loadedAt ? pendingChanges.ids.size : 0;
}
