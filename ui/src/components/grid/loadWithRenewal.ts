import { ApiError, type Session } from '../../api';
import { messages } from '../../contract';
import { toasts } from '../toasts';

/** Statuses after which a grid renews the session and loads once more (P 8). */
const RENEWS_AFTER = [401, 403, 504];

/**
 * Loads rows of a grid. After a 401, 403, or 504 it renews the session and loads again; if the
 * session is over, it says so, and the portal leads to sign-in.
 */
export async function loadWithRenewal<Rows>(session: Session, load: () => Promise<Rows>) {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ApiError) || !RENEWS_AFTER.includes(error.status)) throw error;
    // The HTTP client has renewed the session after a 401 already, if that was possible.
    const isRenewed = error.status !== 401 && (await session.renew());
    if (isRenewed) return load();
    if (session.getState().status !== 'signedOut') throw error;
    toasts.error(messages.SESSION_EXPIRED_GRID);
    // Nobody tries again without a session.
    throw new ApiError(401);
  }
}
