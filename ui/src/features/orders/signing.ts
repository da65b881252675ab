import { messages } from '../../contract';
import type { Signing } from '../requisitions/signing';
import { signOrders, unsignOrder } from './api';

/** Orders share the signature of their requisition (R 4; DECISIONS). */
export const orderSigning: Signing = {
  plural: 'orders',
  sign: signOrders,
  unsign: unsignOrder,
  signedMessage: messages.ORDER_SIGNED,
  allSignedMessage: messages.ORDERS_SIGNED,
  unsignedMessage: messages.ORDER_UNSIGNED,
};
