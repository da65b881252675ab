import { ApiError, explainError, isUnreachable } from '../../api';
import { messages, say } from '../../contract';

/**
 * Returns the message for a failed call of somebody who is not signed in. Waiting times and missing
 * configuration are named; the rest is P 8's one sentence.
 */
export function explainEntryFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.NON_HTTP_ERROR;
  if (error.status === 429 && error.retryAfter !== null) {
    return say(messages.TOO_MANY_TRIES, { seconds: error.retryAfter });
  }
  if ([424, 429].includes(error.status) && error.detail) return error.detail;
  return (isUnreachable(error) ? explainError(error) : null) ?? messages.NON_HTTP_ERROR;
}
