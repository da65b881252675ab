import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

import {
  ApiError,
  loadPage,
  type Page,
  type PageRequest,
  type Query,
  type SortKey,
  useSession,
} from '../../api';
import { boundedSorts, limits } from '../../contract';
import { usePreference } from '../../device';
import type { Memory } from '../useHistoryMemory';
import { loadWithRenewal } from './loadWithRenewal';
import { useLiveRows, type LiveRows } from './useLiveRows';

interface GridState {
  request: PageRequest;
  /** Whether the filter row was emptied while the rows remain those of `request`. */
  isFilterRowCleared: boolean;
}

/** A grid as stored when the user left its screen. */
export interface SavedGrid extends GridState {
  selected: ReadonlySet<number>;
}

interface GridOptions<Row> {
  /** The grid's name in the preferences, `[a-z0-9-]`. */
  name: string;
  /** The path of the remote-operations list. */
  path: string;
  /** The screen's filters; null until the first search. */
  filters: Query | null;
  defaultSort: readonly SortKey[];
  getRowId: (row: Row) => number;
  /** Loads a page, if not by the list's own GET. */
  load?: (request: PageRequest, filters: Query, signal?: AbortSignal) => Promise<Page<Row>>;
  /** The sort keys that work only for a bounded number of rows; by default, those of `path`. */
  boundedSortKeys?: readonly string[];
  /** From `useSearch`: a new number reloads the rows. */
  run?: number;
  /** Updates visible rows when somebody changes them. */
  live?: LiveRows;
  /** Called for each change by somebody else that the rows do not show yet. */
  onLiveChange?: () => void;
  /** Stores page, order and selection for returning to the screen. */
  memory?: Memory<SavedGrid>;
  /** The number of rows per page until the user chooses another. */
  defaultPageSize?: number;
}

/** A change to the page request, or a function that computes it from the current one. */
type PageChange = Partial<PageRequest> | ((current: PageRequest) => Partial<PageRequest>);

/** A grid's page, order, filter row and selection, and the rows that the portal returned. */
export interface Grid<Row> {
  name: string;
  getRowId: (row: Row) => number;
  request: PageRequest;
  /** The filter row as shown. The rows follow it at once, except after `clearFilterRow`. */
  filterRow: PageRequest['columns'];
  /** Whether the filter row was emptied since the rows were loaded. */
  isFilterRowCleared: boolean;
  /** Grows when the filter row is emptied, so that its boxes also forget unfinished text. */
  clearCount: number;
  rows: readonly Row[];
  total: number;
  totalIsCapped: boolean;
  hasNext: boolean;
  /** `idle`: nothing has been searched yet. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  isFetching: boolean;
  error: unknown;
  selected: ReadonlySet<number>;
  selectedRows: readonly Row[];
  /** Sort keys that the portal rejects now, because too many rows match. */
  unavailableSorts: readonly string[];
  /** Whether the load failed because too many rows match to be sorted this way. */
  isSortRejected: boolean;
  /** The number of changes since the load that do not concern visible rows. */
  changeCount: number;
  select: (ids: Iterable<number>) => void;
  change: (change: PageChange) => void;
  /** Filters by one column, at once. */
  filterColumn: (name: string, value: string) => void;
  /** Empties the filter row; the rows follow at once or with the next search. */
  clearFilterRow: (when: 'now' | 'withSearch') => void;
  /** Returns to the default order. */
  resetSort: () => void;
  refresh: () => void;
  /** Loads the rows again and keeps them selected, so that a rejected act can be tried again. */
  reload: () => void;
  /** Loads the ids of the rows of all pages, in their order. */
  loadAllIds: (signal?: AbortSignal) => Promise<number[]>;
}

/** A page of a list. Its key begins with the list's path, by which other screens reload it. */
const pageQuery = <Row>(
  path: string,
  filters: Query | null,
  request: PageRequest,
  run: number,
  load: (signal: AbortSignal) => Promise<Page<Row>>,
) =>
  queryOptions({
    queryKey: [path, filters, request, run],
    queryFn: ({ signal }) => load(signal),
    enabled: filters !== null,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

const NO_SELECTION: ReadonlySet<number> = new Set();
const NO_COLUMNS: PageRequest['columns'] = {};

export function useGrid<Row>({
  name,
  path,
  filters,
  defaultSort,
  getRowId,
  load = (request, query, signal) => loadPage<Row>(path, request, query, signal),
  boundedSortKeys = boundedSorts[path] ?? [],
  run = 0,
  live,
  onLiveChange,
  memory,
  defaultPageSize = limits.PAGE_SIZE_DEFAULT,
}: GridOptions<Row>): Grid<Row> {
  const [pageSize, storePageSize] = usePreference<number>(`grid.${name}.size`);
  const [savedGrid] = useState(() => memory?.read() ?? null);
  const [{ request, isFilterRowCleared }, setState] = useState<GridState>(() => ({
    request: savedGrid?.request ?? {
      page: 0,
      pageSize: pageSize ?? defaultPageSize,
      sort: defaultSort,
      columns: NO_COLUMNS,
    },
    isFilterRowCleared: savedGrid?.isFilterRowCleared ?? false,
  }));
  const [selectedIds, setSelectedIds] = useState(savedGrid?.selected ?? NO_SELECTION);
  const [clearCount, setClearCount] = useState(0);
  useEffect(
    () => memory?.write({ request, selected: selectedIds, isFilterRowCleared }),
    [memory, request, selectedIds, isFilterRowCleared],
  );

  // A new search uses the filter row as it is shown.
  const [lastRun, setLastRun] = useState(run);
  if (lastRun !== run) {
    setLastRun(run);
    if (isFilterRowCleared) setState((current) => filterBy(current, NO_COLUMNS));
  }

  // Other filters start at the first page.
  const filtersKey = JSON.stringify(filters);
  const [lastFiltersKey, setLastFiltersKey] = useState(filtersKey);
  if (lastFiltersKey !== filtersKey) {
    setLastFiltersKey(filtersKey);
    setState((current) => ({ ...current, request: { ...current.request, page: 0 } }));
  }

  const session = useSession();
  const pageOptions = pageQuery(path, filters, request, run, (signal) =>
    loadWithRenewal(session, () => load(request, filters ?? {}, signal)),
  );
  const { queryKey } = pageOptions;
  const query = useQuery(pageOptions);

  // O 2.2: loading clears the selection, except when the user returns to the grid. It is cleared
  // when the load starts, so that a row that the user selects before a slow answer stays selected.
  const loadKey = JSON.stringify(queryKey);
  const [lastLoadKey, setLastLoadKey] = useState(loadKey);
  if (lastLoadKey !== loadKey) {
    setLastLoadKey(loadKey);
    setSelectedIds(NO_SELECTION);
  }
  const [loadedAt, setLoadedAt] = useState(query.dataUpdatedAt);
  if (loadedAt !== query.dataUpdatedAt) {
    setLoadedAt(query.dataUpdatedAt);
    const loadedIds = new Set(query.data?.data.map(getRowId));
    setSelectedIds((ids) => new Set([...ids].filter((id) => loadedIds.has(id))));
  }
  const reload = () => void query.refetch();
  const loadAllIds = async (signal?: AbortSignal) => {
    const ids = new Set<number>();
    for (let page = 0, hasNext = true; hasNext; page += 1) {
      const pageRequest = { ...request, page, pageSize: Math.max(...limits.PAGE_SIZES) };
      const loaded = await loadWithRenewal(session, () => load(pageRequest, filters ?? {}, signal));
      for (const row of loaded.data) ids.add(getRowId(row));
      hasNext = hasMore(loaded, pageRequest);
    }
    return [...ids];
  };
  const refresh = () => {
    setSelectedIds(NO_SELECTION);
    reload();
  };

  const change = useCallback(
    (update: PageChange) => {
      const computeUpdate = typeof update === 'function' ? update : () => update;
      if (typeof update !== 'function' && update.pageSize !== undefined) {
        storePageSize(update.pageSize);
      }
      setState((current) => ({
        ...current,
        request: { ...current.request, page: 0, ...computeUpdate(current.request) },
      }));
    },
    [storePageSize],
  );
  const filterColumn = (name: string, value: string) =>
    setState((current) => filterBy(current, { ...getShownColumns(current), [name]: value }));
  const clearFilterRow = (when: 'now' | 'withSearch') => {
    setClearCount((count) => count + 1);
    setState((current) =>
      when === 'now'
        ? filterBy(current, NO_COLUMNS)
        : { ...current, isFilterRowCleared: hasColumnFilters(current.request) },
    );
  };

  // The rows of the last search stay during the next one, not after Clear.
  const page = filters === null ? undefined : query.data;
  const rows = page?.data ?? [];
  const changeCount = useLiveRows({
    live,
    queryKey,
    rows,
    getRowId,
    loadedAt: query.dataUpdatedAt,
    onChange: onLiveChange,
    onRemove: (ids) =>
      setSelectedIds((selected) => new Set([...selected].filter((id) => !ids.has(id)))),
  });
  return {
    name,
    getRowId,
    request,
    filterRow: getShownColumns({ request, isFilterRowCleared }),
    isFilterRowCleared,
    clearCount,
    rows,
    total: page?.totalCount ?? 0,
    totalIsCapped: page?.totalIsCapped ?? false,
    hasNext: page ? page.next !== null || hasMore(page, request) : false,
    status: filters === null ? 'idle' : getLoadStatus(query),
    isFetching: query.isFetching,
    error: query.error,
    selected: selectedIds,
    selectedRows: rows.filter((row) => selectedIds.has(getRowId(row))),
    unavailableSorts: page?.totalIsCapped ? boundedSortKeys : [],
    isSortRejected: isSortError(query.error),
    changeCount,
    select: (ids) => setSelectedIds(new Set(ids)),
    change,
    filterColumn,
    clearFilterRow,
    resetSort: () => change({ sort: defaultSort }),
    refresh,
    reload,
    loadAllIds,
  };
}

function getLoadStatus({ isError, isPending }: { isError: boolean; isPending: boolean }) {
  if (isError) return 'failed';
  return isPending ? 'loading' : 'ready';
}

const getShownColumns = ({ request, isFilterRowCleared }: GridState) =>
  isFilterRowCleared ? NO_COLUMNS : request.columns;

const filterBy = ({ request }: GridState, columns: PageRequest['columns']): GridState => ({
  request: { ...request, page: 0, columns },
  isFilterRowCleared: false,
});

/** Whether the rows are filtered by a column. */
export const hasColumnFilters = ({ columns }: PageRequest): boolean =>
  Object.values(columns).some((text) => text !== '');

const isSortError = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'sort');

const hasMore = (page: Page<unknown>, request: PageRequest): boolean =>
  (request.page + 1) * request.pageSize < page.totalCount;
