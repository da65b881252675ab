import { ApiError, type Session } from '../../../../api';
import { messages, say } from '../../../../contract';

/** The password is wrong or was tried too often; `message` says which. */
export class PasswordRejected extends Error {}

/** Signs in again: signing requires a sign-in within the last two minutes (DECISIONS). */
export async function confirmPassword(session: Session, password: string): Promise<void> {
  try {
    await session.confirmPassword(password);
  } catch (error) {
    if (error instanceof ApiError && [401, 404].includes(error.status)) {
      throw new PasswordRejected(messages.INVALID_PASSWORD);
    }
    if (error instanceof ApiError && error.status === 429) {
      throw new PasswordRejected(
        error.retryAfter === null
          ? error.detail
          : say(messages.TOO_MANY_TRIES, { seconds: error.retryAfter }),
      );
    }
    throw error;
  }
}
