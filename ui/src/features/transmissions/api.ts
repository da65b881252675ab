import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { limits, SendStatus, type Wire } from '../../contract';

const SEND_PATH = '/api/v2/requisitions/transmission';
const SENT_PATH = '/api/v2/requisitions/transmissions';

export type SendKind = 'EMAIL' | 'FAX';

/** The status of forms sent to one address or number. */
export type Recipient = Wire<'RecipientRead'>;

export type Transmission = Wire<'TransmissionRead'>;

const isInProgress = ({ status }: Recipient): boolean =>
  status === SendStatus.QUEUED || status === SendStatus.SENDING;

export function sendForms(
  ids: readonly number[],
  type: SendKind,
  value: string,
  idempotencyKey: string,
): Promise<Transmission> {
  const body = { ids: [...ids], type, value } satisfies Wire<'TransmissionRequest'>;
  return api.post<Transmission>(SEND_PATH, { body, idempotencyKey });
}

const SENT = 'transmissions';
const WAITING_REFRESH_MS = 20_000;

/** Milliseconds until the next refresh; recipients waiting for a retry are refreshed less often. */
function getRefreshDelay(sent: readonly Recipient[]): number | false {
  const inProgress = sent.filter(isInProgress);
  if (inProgress.length === 0) return false;
  const areAllWaiting = inProgress.every(({ nextTryAt }) => nextTryAt !== null);
  return areAllWaiting ? WAITING_REFRESH_MS : limits.SENT_REFRESH_MS;
}

/** The forms sent for a requisition; refreshed while some are in progress. */
export const sentQuery = (requisitionId: number) =>
  queryOptions({
    queryKey: [SENT, requisitionId],
    queryFn: ({ signal }) =>
      api.get<Recipient[]>(SENT_PATH, { query: { ids: requisitionId }, signal }),
    refetchInterval: (query) => getRefreshDelay(query.state.data ?? []),
    meta: { quiet: true },
  });

/** Reloads the sent forms of all requisitions, after forms were sent. */
export function refreshSent(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [SENT] });
}
