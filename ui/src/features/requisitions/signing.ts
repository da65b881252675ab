import { messages } from '../../contract';
import { signRequisitions, unsignRequisition } from './api';

/** A record to sign, in the version that the user has seen. */
export interface SigningTarget {
  id: number;
  version: number;
}

/** How a kind of record is signed, and the messages about it. */
export interface Signing {
  /** The plural name of the kind. */
  plural: string;
  sign: (
    targets: readonly SigningTarget[],
    image: string,
    username: string,
    idempotencyKey: string,
  ) => Promise<unknown>;
  unsign: (target: SigningTarget, idempotencyKey: string) => Promise<unknown>;
  signedMessage: string;
  allSignedMessage: string;
  unsignedMessage: string;
}

export const requisitionSigning: Signing = {
  plural: 'requisitions',
  sign: signRequisitions,
  unsign: unsignRequisition,
  signedMessage: messages.REQUISITION_SIGNED,
  allSignedMessage: messages.REQUISITIONS_SIGNED,
  unsignedMessage: messages.REQUISITION_UNSIGNED,
};
