import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, ApiError, describeError } from '../../api';
import { ExportState, limits, type ExportFormat, type Wire } from '../../contract';
import type { ClientRow } from '../clients/api';
import type { TestRow } from '../catalog/api';

const PATH = '/api/v2/result-exports';
const buildPath = (id: number) => `${PATH}/${id}`;

/** An export of the user with its progress. */
export type ExportRow = Wire<'ExportRead'>;

export type ExportPreview = Wire<'ResultExportPreview'>;

type ExportBody = Wire<'ResultExportRequest'>;

/** The results to export. */
export interface ExportFilters {
  startDate: string;
  endDate: string;
  clients: readonly ClientRow[];
  tests: readonly TestRow[];
  /** A mask of order statuses, as text. */
  status: string;
}

const toWireFilters = ({ startDate, endDate, clients, tests, status }: ExportFilters) => ({
  startDate,
  endDate,
  clientIds: clients.map(({ id }) => id),
  testIds: tests.map(({ id }) => id),
  status: Number(status),
});

export const isUnfinished = ({ state }: Pick<ExportRow, 'state'>): boolean =>
  state === ExportState.QUEUED || state === ExportState.RUNNING;

/** The user's own exports, newest first; refreshed while one is not finished. */
export const exportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: ({ signal }) => api.get<ExportRow[]>(PATH, { signal }),
  refetchInterval: (query) =>
    (query.state.data ?? []).some(isUnfinished) ? limits.EXPORT_REFRESH_MS : false,
  meta: { quiet: true },
});

/** The size of an export, with its first rows. */
export const previewQuery = (filters: ExportFilters) =>
  queryOptions({
    queryKey: ['exports', 'preview', toWireFilters(filters)],
    queryFn: ({ signal }) =>
      api.get<ExportPreview>(`${PATH}/preview`, { query: toWireFilters(filters), signal }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

export const requestExport = (
  filters: ExportFilters,
  format: ExportFormat,
  idempotencyKey: string,
): Promise<ExportRow> =>
  api.post(PATH, {
    body: { ...toWireFilters(filters), format } satisfies ExportBody,
    idempotencyKey,
  });

export const cancelExport = (id: number, idempotencyKey: string): Promise<ExportRow> =>
  api.post(`${buildPath(id)}/cancel`, { idempotencyKey });

export const removeExport = (id: number, idempotencyKey: string): Promise<undefined> =>
  api.delete(buildPath(id), { idempotencyKey });

export const restoreExport = (id: number, idempotencyKey: string): Promise<ExportRow> =>
  api.post(`${buildPath(id)}/restore`, { idempotencyKey });

/** Reloads the list of exports after a write. */
export function refreshExports(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: exportsQuery.queryKey, exact: true });
}

/** Returns the file of an export for download. */
export const toExportFile = ({ id, name }: ExportRow) => ({
  path: `${buildPath(id)}/file`,
  name,
  isSaved: true,
});

/** Says why a file can't be downloaded, in the words of the portal. */
export const describeDownloadError = (error: unknown): string =>
  error instanceof ApiError && error.status === 404 && error.detail !== ''
    ? error.detail
    : describeError(error);
