import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { limits, type Wire } from '../../contract';

export type DataKind = Wire<'LabDataKind'>;
export type DataField = Wire<'LabDataField'>;
export type DataRecord = Wire<'LabDataRead'>;
export type DataChange = Wire<'LabDataChange'>;
export type DataImport = Wire<'LabDataImport'>;
export type Offer = Wire<'LabDataOffer'>;
export type DataValue = DataRecord['values'][string];

/** A row of a kind's list: its id, and its values by the names of their fields. */
export type DataRow = Wire<'LabDataRow'>;

interface WriteContext {
  idempotencyKey: string;
  version?: number | undefined;
}

const PATH = '/api/v2/lab-data';
export const buildListPath = (kind: string): string => `${PATH}/${kind}`;
export const buildFilePath = (kind: string): string => `${PATH}/${kind}/csv`;

/** The kinds with their fields; they change only with a new version of the portal. */
export const kindsQuery = queryOptions({
  queryKey: ['lab-data', 'kinds'],
  queryFn: ({ signal }) => api.get<DataKind[]>(PATH, { signal }),
  staleTime: Infinity,
  meta: { quiet: true },
});

export const recordQuery = (kind: string, id: number) =>
  queryOptions({
    queryKey: ['lab-data', kind, id],
    queryFn: ({ signal }) => loadRecord(kind, id, signal),
    // The form must not start with outdated values.
    gcTime: 0,
    meta: { quiet: true },
  });

export const loadRecord = (kind: string, id: number, signal?: AbortSignal): Promise<DataRecord> =>
  api.get(`${PATH}/${kind}/${id}`, signal ? { signal } : {});

export const historyQuery = (kind: string, id: number) =>
  queryOptions({
    queryKey: ['lab-data', kind, id, 'history'],
    queryFn: ({ signal }) => api.get<DataChange[]>(`${PATH}/${kind}/${id}/history`, { signal }),
    gcTime: 0,
    meta: { quiet: true },
  });

/** The first records that a field can refer to and that match the letters. */
export const offersQuery = (lookup: string) => (search: string) =>
  queryOptions({
    queryKey: ['lab-data', 'lookups', lookup, search] as const,
    queryFn: ({ signal }) =>
      api.get<Offer[]>(`${PATH}/lookups/${lookup}`, { query: { search }, signal }),
    meta: { quiet: true },
  });

/** The texts shown beside the keys of chosen records. */
export const namesQuery = (lookup: string, keys: readonly string[]) =>
  queryOptions({
    queryKey: ['lab-data', 'lookups', lookup, { keys }] as const,
    queryFn: async ({ signal }) => {
      const query = { keys: keys.slice(0, limits.LAB_DATA_KEYS_MAX) };
      const offers = await api.get<Offer[]>(`${PATH}/lookups/${lookup}`, { query, signal });
      return new Map(offers.map(({ key, name }) => [key, name]));
    },
    enabled: keys.length > 0,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

export const createRecord = (
  kind: string,
  values: Wire<'LabDataWrite'>['values'],
  context: WriteContext,
): Promise<DataRecord> =>
  api.post(`${PATH}/${kind}`, { body: { values } satisfies Wire<'LabDataWrite'>, ...context });

export const changeRecord = (
  kind: string,
  id: number,
  values: Wire<'LabDataWrite'>['values'],
  context: WriteContext,
): Promise<DataRecord> =>
  api.put(`${PATH}/${kind}/${id}`, { body: { values } satisfies Wire<'LabDataWrite'>, ...context });

/** Previews a CSV file; `content` is a data URL. */
export const previewFile = (
  kind: string,
  content: string,
  idempotencyKey: string,
): Promise<DataImport> =>
  api.post(`${buildFilePath(kind)}/preview`, {
    body: { content } satisfies Wire<'LabDataImportWrite'>,
    idempotencyKey,
  });

/** Applies the changes that the preview with this token showed. */
export const applyFile = (
  kind: string,
  content: string,
  token: string,
  idempotencyKey: string,
): Promise<DataImport> =>
  api.post(buildFilePath(kind), {
    body: { content, token } satisfies Wire<'LabDataImportWrite'>,
    idempotencyKey,
  });

/** Reloads the lists and lookups that may show changed data. */
export function refreshData(queries: QueryClient, kind: string): void {
  void queries.invalidateQueries({ queryKey: [buildListPath(kind)] });
  void queries.invalidateQueries({ queryKey: ['lab-data', 'lookups'] });
}
