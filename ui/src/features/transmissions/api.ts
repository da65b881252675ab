import { api } from '../../api';
import { SendStatus } from '../../contract';

const SEND_PATH = '/api/v2/requisitions/transmission';
const SENT_PATH = '/api/v2/requisitions/transmissions';

export type SendKind = 'EMAIL' | 'FAX';

/** What became of forms at one address or number. */
export interface Recipient {
  id: number;
  requisitionIds: number[];
  type: SendKind;
  destination: string;
  status: SendStatus;
  attempts: number;
  lastError: string | null;
  createdAt: string;
  nextTryAt: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  sentBy: string;
}

export interface Transmission {
  id: number;
  status: SendStatus;
  recipients: Recipient[];
}

export const sentKey = (requisitionId?: number) =>
  requisitionId === undefined ? ['transmissions'] : ['transmissions', requisitionId];

export const isUnderWay = ({ status }: Recipient): boolean =>
  status === SendStatus.QUEUED || status === SendStatus.SENDING;

export function sendForms(
  ids: readonly number[],
  type: SendKind,
  value: string,
  idempotencyKey: string,
): Promise<Transmission> {
  return api.post<Transmission>(SEND_PATH, { body: { ids, type, value }, idempotencyKey });
}

export function loadSent(requisitionId: number, signal?: AbortSignal): Promise<Recipient[]> {
  return api.get<Recipient[]>(SENT_PATH, { query: { ids: requisitionId }, signal });
}
