import { messages } from '../../contract';
import type { Signing } from '../requisitions/signing';
import { signOrders, unsignOrder, unsignOrders } from './api';

/** Orders share the signature of their requisition (R 4; DECISIONS). */
export const orderSigning: Signing = {
  plural: 'orders',
  sign: signOrders,
  unsign: (targets, idempotencyKey) =>
    targets.length === 1
      ? unsignOrder(targets[0], idempotencyKey)
      : unsignOrders(targets, idempotencyKey),
  signedMessage: messages.ORDER_SIGNED,
  allSignedMessage: messages.ORDERS_SIGNED,
  getUnsignedMessage: (count) => (count > 1 ? messages.ORDERS_UNSIGNED : messages.ORDER_UNSIGNED),
};
