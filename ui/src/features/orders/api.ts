import { api } from '../../api';
import type { Wire } from '../../contract';
import type { PortalDocument } from '../../device';

export const LIST_PATH = '/api/v2/orders/remote-operations';

/** A row of the laboratory results search (R 3). */
export type OrderRow = Wire<'OrdersRow'>;

export type Order = Wire<'OrderRead'>;

/** A row of the clinical tree (R 3). */
export type ClinicalRow = Wire<'ClinicalResultRow'>;

export type ResultsTypes = Wire<'ResultsTypes'>;

export type EntryRow = Wire<'EntryRow'>;

export type ResultEntry = Wire<'ResultEntry'>;

export type ResultWrite = Wire<'ResultWrite'>;

interface WriteContext {
  version: number;
  idempotencyKey: string;
}

const pathOf = (id: number) => `/api/v2/orders/${id}`;

export const loadOrder = (id: number, signal: AbortSignal) =>
  api.get<Order>(pathOf(id), { signal });

export const loadResultsTypes = (id: number, signal: AbortSignal) =>
  api.get<ResultsTypes>(`${pathOf(id)}/results-types`, { signal });

export const loadClinicalResults = (id: number, signal: AbortSignal) =>
  api.get<ClinicalRow[]>(`${pathOf(id)}/clinical-results`, { signal });

export const loadResultEntry = (id: number, signal?: AbortSignal) =>
  api.get<ResultEntry>(`${pathOf(id)}/result-entry`, { signal });

export const saveResults = (id: number, results: ResultWrite[], context: WriteContext) =>
  api.put<ResultEntry>(`${pathOf(id)}/result-entry`, { body: { results }, ...context });

export const releaseResults = (id: number, context: WriteContext) =>
  api.post<ResultEntry>(`${pathOf(id)}/release`, { body: { orderTestIds: null }, ...context });

/** The results report of these orders. */
export const resultsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/order/results?${ids.map((id) => `ids=${id}`).join('&')}`,
  name: 'results.pdf',
});
