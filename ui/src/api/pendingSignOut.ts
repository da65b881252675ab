/**
 * A sign-out that the portal has not confirmed, for example because it could not be reached. Until
 * then its cookie would resume the session, so the next start of the page must sign out first.
 */
import type { SignedOutReason } from './session';

const STORAGE_KEY = 'portal.pendingSignOut';

export function notePendingSignOut(reason: SignedOutReason): void {
  try {
    localStorage.setItem(STORAGE_KEY, reason);
  } catch {
    // Without storage, the portal's own limits end the session.
  }
}

/** Returns the reason of the unconfirmed sign-out, or null if there is none. */
export function findPendingSignOut(): SignedOutReason | null {
  try {
    return localStorage.getItem(STORAGE_KEY) as SignedOutReason | null;
  } catch {
    return null;
  }
}

export function forgetPendingSignOut(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, there is no sign-out to forget.
  }
}
