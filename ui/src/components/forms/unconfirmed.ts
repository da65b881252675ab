import { ApiError } from '../../api';

/** Not decided: the session is to be renewed, or the portal has no time. */
const PUT_OFF: readonly number[] = [401, 408, 429];

/**
 * Whether it is open if a save was made: no answer came, or one that does not say. A refusal does:
 * nothing was saved.
 */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  // The portal knows the key: it was made.
  if (code === 'idempotency_key_reused') return true;
  return status < 400 || status > 500 || PUT_OFF.includes(status);
}
