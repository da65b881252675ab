import { limits, type Wire } from '../contract';
import { api, type Query } from './http';

/** One page of a remote-operations list (DECISIONS, 'Bases and wire format'). */
export interface Page<Row> extends Omit<Wire<'OrdersPage'>, 'data'> {
  data: Row[];
}

export interface SortKey {
  column: string;
  descending: boolean;
}

/** The page, sort order and column filters that a grid requests. */
export interface PageRequest {
  /** Zero-based. */
  page: number;
  pageSize: number;
  sort: readonly SortKey[];
  /** Values of the filter row by column. */
  columns: Readonly<Record<string, string>>;
}

export const firstPage: PageRequest = {
  page: 0,
  pageSize: limits.PAGE_SIZE_DEFAULT,
  sort: [],
  columns: {},
};

/** Builds the `skip`, `take`, `sort` and `column.*` parameters of a page request. */
export function buildPageQuery(request: PageRequest): Query {
  const query: Record<string, string | number> = {
    skip: request.page * request.pageSize,
    take: request.pageSize,
  };
  if (request.sort.length > 0) {
    query['sort'] = request.sort
      .map((key) => (key.descending ? `-${key.column}` : key.column))
      .join(',');
  }
  return { ...query, ...buildColumnQuery(request.columns) };
}

/** Builds the `column.*` parameters of the filter row; empty boxes filter nothing. */
export function buildColumnQuery(columns: PageRequest['columns']): Query {
  const query: Record<string, string> = {};
  for (const [column, value] of Object.entries(columns)) {
    if (value.trim()) query[`column.${column}`] = value.trim();
  }
  return query;
}

export function loadPage<Row>(
  path: string,
  request: PageRequest,
  filters: Query,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  return api.get<Page<Row>>(path, { query: { ...buildPageQuery(request), ...filters }, signal });
}

/** Returns the versions of the shown rows by id; a bulk act is rejected if one has changed. */
export const collectVersions = (
  rows: readonly { id: number; version: number }[],
): Record<string, number> => Object.fromEntries(rows.map(({ id, version }) => [id, version]));
