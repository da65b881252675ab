import { ApiError, type Session } from '../../../../api';
import { messages, say } from '../../../../contract';

/** The password was wrong or tried too often; `message` says which. */
export class PasswordRefused extends Error {}

/** A sign-in of less than two minutes ago, which signing needs (DECISIONS). */
export async function confirmPassword(session: Session, password: string): Promise<void> {
  try {
    await session.confirmPassword(password);
  } catch (error) {
    if (error instanceof ApiError && [401, 404].includes(error.status)) {
      throw new PasswordRefused(messages.INVALID_PASSWORD);
    }
    if (error instanceof ApiError && error.status === 429) {
      throw new PasswordRefused(
        error.retryAfter === null
          ? error.detail
          : say(messages.TOO_MANY_TRIES, { seconds: error.retryAfter }),
      );
    }
    throw error;
  }
}
