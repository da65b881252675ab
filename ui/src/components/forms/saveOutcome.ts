import { ApiError } from '../../api';

/** Statuses that ask to try again: the session must be renewed, or the portal is busy. */
const UNDECIDED_STATUSES: readonly number[] = [401, 408, 429];

/**
 * Whether the outcome of a save is unknown: there was no answer, or an answer that does not say
 * whether the record was saved. After a rejection the outcome is known: nothing was saved.
 */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // The portal knows the key, so the save was made.
  if (code === 'idempotency_key_reused') return true;
  return status < 400 || status > 500 || UNDECIDED_STATUSES.includes(status);
}
