import { ApiError } from '../../api';

/** These statuses do not decide: the session must be renewed, or the portal is busy. */
const UNDECIDED_STATUSES: readonly number[] = [401, 408, 429];

/**
 * Whether the outcome of a save is unknown: there was no answer, or one that does not decide. A
 * rejection decides: nothing was saved.
 */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // The portal knows the key, so the save was made.
  if (code === 'idempotency_key_reused') return true;
  return status < 400 || status > 500 || UNDECIDED_STATUSES.includes(status);
}
