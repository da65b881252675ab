import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

import { loadPage, type Page, type PageRequest, type Query, type SortKey } from '../../api';
import { limits } from '../../contract';
import { usePreference } from '../../device';
import type { Memory } from '../useHistoryMemory';
import { useLiveRows, type LiveRows } from './useLiveRows';

/** A grid as a visit of its screen left it. */
export interface LeftGrid {
  request: PageRequest;
  selected: ReadonlySet<number>;
}

interface GridOptions<Row> {
  /** Name of the grid in the preferences, `[a-z0-9-]`. */
  name: string;
  /** The remote-operations list. */
  path: string;
  /** The screen's filters; null until the first search. */
  filters: Query | null;
  defaultSort: readonly SortKey[];
  rowId: (row: Row) => number;
  /** From `useDelayedSearch`: a search is on its way, so the grid shows that it works. */
  waiting?: boolean;
  run?: number;
  /** Rows that others change are put in place as they do. */
  live?: LiveRows;
  /** Keeps page, order and selection for whoever comes back to the screen. */
  memory?: Memory<LeftGrid>;
}

/** What is to change, or how to work it out from the request of that moment. */
type PageChange = Partial<PageRequest> | ((current: PageRequest) => Partial<PageRequest>);

/** A grid's page, order, filter row and selection, and the rows the portal answered. */
export interface Grid<Row> {
  name: string;
  rowId: (row: Row) => number;
  request: PageRequest;
  rows: readonly Row[];
  total: number;
  totalIsCapped: boolean;
  hasNext: boolean;
  /** `idle`: nothing has been searched yet. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  fetching: boolean;
  error: unknown;
  selected: ReadonlySet<number>;
  selectedRows: readonly Row[];
  /** Changes since the load that are not among the visible rows. */
  news: number;
  select: (ids: Iterable<number>) => void;
  change: (change: PageChange) => void;
  refresh: () => void;
}

const NOTHING: ReadonlySet<number> = new Set();

export function useGrid<Row>({
  name,
  path,
  filters,
  defaultSort,
  rowId,
  waiting = false,
  run = 0,
  live,
  memory,
}: GridOptions<Row>): Grid<Row> {
  const [pageSize, keepPageSize] = usePreference<number>(`grid.${name}.size`);
  const [left] = useState(() => memory?.read() ?? null);
  const [request, setRequest] = useState<PageRequest>(
    () =>
      left?.request ?? {
        page: 0,
        pageSize: pageSize ?? limits.PAGE_SIZE_DEFAULT,
        sort: defaultSort,
        columns: {},
      },
  );
  const [selected, setSelected] = useState(left?.selected ?? NOTHING);
  useEffect(() => memory?.write({ request, selected }), [memory, request, selected]);

  // Other filters begin at the first page again.
  const filtersKey = JSON.stringify(filters);
  const [searched, setSearched] = useState(filtersKey);
  if (searched !== filtersKey) {
    setSearched(filtersKey);
    setRequest((current) => ({ ...current, page: 0 }));
  }

  const queryKey = [path, filters, request, run];
  const query = useQuery<Page<Row>>({
    queryKey,
    queryFn: ({ signal }) => loadPage<Row>(path, request, filters ?? {}, signal),
    enabled: filters !== null,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

  // O 2.2: the selection is cleared whenever the grid loads, but for whoever comes back to it.
  const [loadedAt, setLoadedAt] = useState(query.dataUpdatedAt);
  const [isBack, setIsBack] = useState(left !== null);
  if (loadedAt !== query.dataUpdatedAt) {
    setLoadedAt(query.dataUpdatedAt);
    if (isBack) setIsBack(false);
    else setSelected(NOTHING);
  }

  const change = useCallback(
    (wanted: PageChange) => {
      const workOut = typeof wanted === 'function' ? wanted : () => wanted;
      if (typeof wanted !== 'function' && wanted.pageSize !== undefined) {
        keepPageSize(wanted.pageSize);
      }
      setRequest((current) => ({ ...current, page: 0, ...workOut(current) }));
    },
    [keepPageSize],
  );

  const rows = query.data?.data ?? [];
  const news = useLiveRows({ live, queryKey, rows, rowId, loadedAt: query.dataUpdatedAt });
  const notYet = waiting ? 'loading' : 'idle';
  const status =
    filters === null ? notYet : query.isError ? 'failed' : query.isPending ? 'loading' : 'ready';
  return {
    name,
    rowId,
    request,
    rows,
    total: query.data?.totalCount ?? 0,
    totalIsCapped: query.data?.totalIsCapped ?? false,
    hasNext: query.data ? query.data.next !== null || hasMore(query.data, request) : false,
    status,
    fetching: query.isFetching || waiting,
    error: query.error,
    selected,
    selectedRows: rows.filter((row) => selected.has(rowId(row))),
    news,
    select: (ids) => setSelected(new Set(ids)),
    change,
    refresh: () => void query.refetch(),
  };
}

const hasMore = (page: Page<unknown>, request: PageRequest): boolean =>
  (request.page + 1) * request.pageSize < page.totalCount;
