import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { limits, SendStatus, type Wire } from '../../contract';

const SEND_PATH = '/api/v2/requisitions/transmission';
const SENT_PATH = '/api/v2/requisitions/transmissions';

export type SendKind = 'EMAIL' | 'FAX';

/** What became of forms at one address or number. */
export type Recipient = Wire<'RecipientRead'>;

export type Transmission = Wire<'TransmissionRead'>;

const isUnderWay = ({ status }: Recipient): boolean =>
  status === SendStatus.QUEUED || status === SendStatus.SENDING;

export function sendForms(
  ids: readonly number[],
  type: SendKind,
  value: string,
  idempotencyKey: string,
): Promise<Transmission> {
  return api.post<Transmission>(SEND_PATH, { body: { ids, type, value }, idempotencyKey });
}

const SENT = 'transmissions';
const WAITING_REFRESH_MS = 20_000;

/** Milliseconds until it is worth asking again; what waits for its next try has no news soon. */
function pauseUntilNews(sent: readonly Recipient[]): number | false {
  const open = sent.filter(isUnderWay);
  if (open.length === 0) return false;
  const waiting = open.every(({ nextTryAt }) => nextTryAt !== null);
  return waiting ? WAITING_REFRESH_MS : limits.SENT_REFRESH_MS;
}

/** What was sent of a requisition; asked again while something is under way. */
export const sentQuery = (requisitionId: number) =>
  queryOptions({
    queryKey: [SENT, requisitionId],
    queryFn: ({ signal }) =>
      api.get<Recipient[]>(SENT_PATH, { query: { ids: requisitionId }, signal }),
    refetchInterval: (query) => pauseUntilNews(query.state.data ?? []),
    meta: { quiet: true },
  });

/** After something was sent, whichever requisitions it was of. */
export function refreshSent(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [SENT] });
}
