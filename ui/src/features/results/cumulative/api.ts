import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../../api';
import { ResultKind, type Wire } from '../../../contract';
import { buildOrderPath } from '../../orders/api';
import { resultsQueryKey } from '../api';

export type CumulativeInfo = Wire<'CumulativeInfo'>;

export type ClinicalDay = Wire<'CumulativeDay_CumulativeClinicalResult_'>;
export type ToxicologyDay = Wire<'CumulativeDay_CumulativeToxicologyResult_'>;
export type MicrobiologyDay = Wire<'CumulativeDay_CumulativeMicrobiologyResult_'>;
export type ClinicalResult = Wire<'CumulativeClinicalResult'>;
export type ToxicologyResult = Wire<'CumulativeToxicologyResult'>;
export type MicrobiologyResult = Wire<'CumulativeMicrobiologyResult'>;

export interface CumulativeDays {
  [ResultKind.CLINICAL]: ClinicalDay;
  [ResultKind.MICROBIOLOGY]: MicrobiologyDay;
  [ResultKind.TOXICOLOGY]: ToxicologyDay;
}

/** What is searched for: `records` of 0 is as many orders as the portal allows. */
export interface CumulativeSearch {
  startDate: string;
  endDate: string;
  records: number;
  clientId: number | null;
  /** For a physician, the physicians in the user's profile; empty for other roles (R 6). */
  physicianIds: readonly number[];
}

export const cumulativeInfoQuery = (orderId: number) =>
  queryOptions({
    queryKey: resultsQueryKey(orderId, 'cumulative-info'),
    queryFn: ({ signal }) =>
      api.get<CumulativeInfo>(`${buildOrderPath(orderId)}/cumulative-result-info`, { signal }),
    meta: { quiet: true },
  });

/** The patient's released results of a kind, newest day first. */
export const cumulativeResultsQuery = <Kind extends keyof CumulativeDays>(
  orderId: number,
  kind: Kind,
  search: CumulativeSearch,
) =>
  queryOptions({
    queryKey: [...resultsQueryKey(orderId, 'cumulative'), kind, search],
    queryFn: ({ signal }) =>
      api.get<CumulativeDays[Kind][]>(`${buildOrderPath(orderId)}/${kind}-cumulative-results`, {
        query: { ...search, type: 'NORMAL' },
        signal,
      }),
    meta: { quiet: true },
  });

const CLIENTS_PART = 'cumulative-clients';

/** Reloads everything about the patient of an order: kinds, results of all kinds, and clients. */
export function reloadCumulative(queries: QueryClient, orderId: number): void {
  for (const part of ['cumulative-info', 'cumulative', CLIENTS_PART]) {
    void queries.invalidateQueries({ queryKey: resultsQueryKey(orderId, part) });
  }
}

type Period = Pick<CumulativeSearch, 'startDate' | 'endDate' | 'physicianIds'>;

/** The clients through which the patient has results in a period. */
export const clientsWithResultsQuery = (
  orderId: number,
  { startDate, endDate, physicianIds }: Period,
) =>
  queryOptions({
    queryKey: [...resultsQueryKey(orderId, CLIENTS_PART), startDate, endDate],
    queryFn: ({ signal }) =>
      api.get<Wire<'CumulativeClient'>[]>('/api/v2/clients/by-order-tests-in-time-range', {
        query: { orderId, startDate, endDate, limit: 0, physicianIds },
        signal,
      }),
    meta: { quiet: true },
  });

const REPORT_PATH = '/api/v2/reports/order/cumulative-results';

/** Draws the report of these results, by the ids of the orders' tests. */
export const drawCumulativeReport = (ids: readonly number[]): Promise<Blob> =>
  api.blob(REPORT_PATH, { body: { ids: [...ids] } satisfies Wire<'ReportRequest'> });
