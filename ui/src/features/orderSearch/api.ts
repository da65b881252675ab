import { queryOptions, useQueryClient } from '@tanstack/react-query';

import { api, firstPage, loadPage, type Page, type PageRequest, type Query } from '../../api';
import { useWrite } from '../../components/useWrite';
import { limits, type Wire } from '../../contract';
import type { NamedRecord, SearchColumn } from './conditions';

export const SEARCH_PATH = '/api/v2/orders/advanced-search';
const SAVED_PATH = '/api/v2/orders/saved-searches';
const SAVED_KEY = ['saved-searches'];

/** A row of the advanced search: the columns that it asked for, by name. */
export type SearchRow = Readonly<Record<string, unknown>> & { id: number; version: number };

export type StoredSearch = Wire<'SavedSearchRead'>;

type SearchWrite = Wire<'SavedSearchWrite'>;

/** The columns that the user may search and show; they do not change while the page is open. */
export const searchColumnsQuery = () =>
  queryOptions({
    queryKey: ['order-search', 'columns'],
    queryFn: ({ signal }) => api.get<SearchColumn[]>(`${SEARCH_PATH}/columns`, { signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  });

/** Loads a page by POST, so that no address contains the searched values. */
export function loadSearchPage(
  request: PageRequest,
  filters: Query,
  signal?: AbortSignal,
): Promise<Page<SearchRow>> {
  const sort = request.sort.map(({ column, descending }) => (descending ? `-${column}` : column));
  return api.post(SEARCH_PATH, {
    body: {
      query: JSON.parse(String(filters['query'])) as unknown,
      columns: String(filters['columns']).split(',').filter(Boolean),
      skip: request.page * request.pageSize,
      take: request.pageSize,
      sort: sort.join(',') || null,
    } satisfies Wire<'OrderSearchRequest'>,
    signal,
  });
}

export type OrderExport = Wire<'OrderExportRequest'>;

/** Requests a file of all orders that a search finds; a job writes it. */
export const requestOrderExport = (
  body: OrderExport,
  idempotencyKey: string,
): Promise<Wire<'ExportRead'>> => api.post(`${SEARCH_PATH}/export`, { body, idempotencyKey });

/** A test of the picker, and whether its code or name is the searched text. */
interface TestChoice extends NamedRecord {
  isExact: boolean;
}

async function searchTests(search: string, signal: AbortSignal): Promise<TestChoice[]> {
  const request: PageRequest = {
    ...firstPage,
    pageSize: limits.PICKER_PAGE_SIZE,
    sort: ['relevance', 'code'].map((column) => ({ column, descending: false })),
  };
  const path = '/api/v2/tests/remote-operations';
  const query = { search, allTests: true };
  const { data } = await loadPage<Wire<'TestsRow'>>(path, request, query, signal);
  return data.map(({ id, code, name, isExact }) => ({ id, name: `${code} ${name}`, isExact }));
}

/** The tests and panels whose code or name match. */
export const testChoicesQuery = (search: string) =>
  queryOptions({
    queryKey: ['order-search', 'tests', search],
    queryFn: ({ signal }) => searchTests(search, signal),
    meta: { quiet: true },
  });

/** The user's saved searches by name. */
export const storedSearchesQuery = () =>
  queryOptions({
    queryKey: SAVED_KEY,
    queryFn: ({ signal }) => api.get<StoredSearch[]>(SAVED_PATH, { signal }),
    meta: { quiet: true },
  });

interface Change {
  storedSearch?: StoredSearch;
  write: SearchWrite | null;
}

/** Saves, renames and removes searches; the caller explains failures. */
export function useStoredSearchChanges() {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: SAVED_KEY });
  const change = useWrite({
    send: async ({ storedSearch, write }: Change, idempotencyKey): Promise<StoredSearch | null> => {
      if (storedSearch === undefined) return api.post(SAVED_PATH, { body: write, idempotencyKey });
      const [path, { version }] = [`${SAVED_PATH}/${storedSearch.id}`, storedSearch];
      if (write !== null) return api.put(path, { body: write, version, idempotencyKey });
      await api.delete(path, { version, idempotencyKey });
      return null;
    },
    onDone: reload,
    explain: () => {
      void reload();
      return true;
    },
  });
  return {
    isRunning: change.isRunning,
    create: (write: SearchWrite) => change.runAsync({ write }),
    update: (search: StoredSearch, write: SearchWrite) =>
      change.runAsync({ storedSearch: search, write }),
    remove: (search: StoredSearch) => change.runAsync({ storedSearch: search, write: null }),
  };
}
