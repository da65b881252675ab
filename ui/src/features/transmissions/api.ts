import { api } from '../../api';
import { SendStatus, type Wire } from '../../contract';

const SEND_PATH = '/api/v2/requisitions/transmission';
const SENT_PATH = '/api/v2/requisitions/transmissions';

export type SendKind = 'EMAIL' | 'FAX';

/** What became of forms at one address or number. */
export type Recipient = Wire<'RecipientRead'>;

export type Transmission = Wire<'TransmissionRead'>;

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
