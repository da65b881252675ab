import { messages } from '../../contract';
import { signRequisitions, unsignRequisition } from './api';

/** A record to sign, in the version that the user has seen. */
export interface SigningTarget {
  id: number;
  version: number;
  /** The code and the patient, by which the dialog names it. */
  name: string;
}

/** Names a record by its code and patient. */
export const nameTarget = (
  { id, version }: { id: number; version: number },
  code: string,
  patient: { lastName: string; firstName: string },
): SigningTarget => ({
  id,
  version,
  name: `${code} · ${patient.lastName}, ${patient.firstName}`,
});

export type SigningTargets = readonly [SigningTarget, ...SigningTarget[]];

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
  /** Removes the user's own signatures, all or none. */
  unsign: (targets: SigningTargets, idempotencyKey: string) => Promise<unknown>;
  signedMessage: string;
  allSignedMessage: string;
  getUnsignedMessage: (count: number) => string;
}

export const requisitionSigning: Signing = {
  plural: 'requisitions',
  sign: signRequisitions,
  // Only the requisition's own screen offers it.
  unsign: ([target], idempotencyKey) => unsignRequisition(target, idempotencyKey),
  signedMessage: messages.REQUISITION_SIGNED,
  allSignedMessage: messages.REQUISITIONS_SIGNED,
  getUnsignedMessage: () => messages.REQUISITION_UNSIGNED,
};
