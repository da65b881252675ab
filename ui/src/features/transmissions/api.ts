import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { limits, SendStatus, type Wire } from '../../contract';

/** What is sent: the forms of requisitions, or the results of orders. */
export type Content = 'forms' | 'results';

const ROOTS: Readonly<Record<Content, string>> = {
  forms: '/api/v2/requisitions',
  results: '/api/v2/orders',
};

export type SendKind = 'EMAIL' | 'FAX';

/** The status of forms or results sent to one address or number. */
export type Recipient = Wire<'RecipientRead'>;

export type Transmission = Wire<'TransmissionRead'>;

const isInProgress = ({ status }: Recipient): boolean =>
  status === SendStatus.QUEUED || status === SendStatus.SENDING;

/** One e-mail or fax about these requisitions or orders, all or none. */
export interface NewTransmission {
  content: Content;
  ids: readonly number[];
  kind: SendKind;
  destination: string;
  /** Whether the message says that the results are corrected. */
  isCorrection?: boolean;
}

export function send(transmission: NewTransmission, idempotencyKey: string): Promise<Transmission> {
  const { content, ids, kind, destination, isCorrection = false } = transmission;
  const body = {
    ids: [...ids],
    type: kind,
    value: destination,
  } satisfies Wire<'TransmissionRequest'>;
  return api.post<Transmission>(`${ROOTS[content]}/transmission`, {
    body:
      content === 'results' && isCorrection
        ? ({ ...body, isCorrection } satisfies Wire<'ResultsTransmissionRequest'>)
        : body,
    idempotencyKey,
  });
}

const SENT = 'transmissions';
/** Part of the key of the people who had the results of an order before a correction. */
export const EARLIER_RECIPIENTS = 'earlier-recipients';
const WAITING_REFRESH_MS = 20_000;

/** Milliseconds until the next refresh; recipients waiting for a retry are refreshed less often. */
function getRefreshDelay(recipients: readonly Recipient[]): number | false {
  const inProgress = recipients.filter(isInProgress);
  if (inProgress.length === 0) return false;
  const areAllWaiting = inProgress.every(({ nextTryAt }) => nextTryAt !== null);
  return areAllWaiting ? WAITING_REFRESH_MS : limits.SENT_REFRESH_MS;
}

/** The transmissions of a requisition or an order; refreshed while one is in progress. */
export const sentQuery = (content: Content, id: number) =>
  queryOptions({
    queryKey: [SENT, content, id],
    queryFn: ({ signal }) =>
      api.get<Recipient[]>(`${ROOTS[content]}/transmissions`, { query: { ids: id }, signal }),
    refetchInterval: (query) => getRefreshDelay(query.state.data ?? []),
    meta: { quiet: true },
  });

/** Reloads the transmissions of all requisitions and orders, after a new one. */
export async function refreshSent(queries: QueryClient): Promise<void> {
  // A first load that is still running would not start again, and may answer without the new one.
  await queries.cancelQueries({ queryKey: [SENT] });
  await Promise.all([
    queries.invalidateQueries({ queryKey: [SENT] }),
    queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey.includes(EARLIER_RECIPIENTS),
    }),
  ]);
}
