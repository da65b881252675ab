import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';
import { buildOrderPath, orderQuery } from '../orders/api';

export type ResultsTypes = Wire<'ResultsTypes'>;

/** What every write of results sends: the order's version and the key of the act. */
export interface WriteContext {
  version: number;
  idempotencyKey: string;
}

/** The key of a query of an order's results; it begins with the key of the order. */
export const resultsQueryKey = (orderId: number, part: string) =>
  [...orderQuery(orderId).queryKey, part] as const;

/** The kinds of result that an order has. */
export const resultsTypesQuery = (id: number) =>
  queryOptions({
    queryKey: resultsQueryKey(id, 'types'),
    queryFn: ({ signal }) =>
      api.get<ResultsTypes>(`${buildOrderPath(id)}/results-types`, { signal }),
    meta: { quiet: true },
  });

/** The order and patient that every family's result entry shows. */
export type EntryHeader = Pick<
  Wire<'ResultEntry'>,
  | 'orderId'
  | 'codeValue'
  | 'version'
  | 'status'
  | 'clientName'
  | 'collectionDate'
  | 'specimenCondition'
  | 'awaitsCollection'
  | 'reportComment'
  | 'reported'
  | 'patient'
  | 'holdRecords'
  | 'canEnterResults'
  | 'canRelease'
>;

/** An act on the saved result of a test: the end of its path, and its body. */
export type TestAct =
  | { path: 'withhold'; body: Wire<'WithholdRequest'> }
  | { path: 'restore'; body: Wire<'RestoreRequest'> }
  | { path: 'holds'; body: Wire<'HoldRequest'> }
  | { path: `holds/${number}/lift`; body: Wire<'LiftRequest'> };

/** Families whose tests have one result each; clinical acts have other paths. */
export type Family = 'microbiology' | 'toxicology' | 'pathology';

export const sendTestAct = <Entry>(
  id: number,
  family: Family,
  { path, body }: TestAct,
  context: WriteContext,
) => api.post<Entry>(`${buildOrderPath(id)}/${family}-${path}`, { body, ...context });
