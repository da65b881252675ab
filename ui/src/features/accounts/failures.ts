import { ApiError, explainError, explainWait, isUnreachable } from '../../api';
import { messages } from '../../contract';

/** Returns the portal's own text about a waiting time or a missing configuration, or else ''. */
function getOwnText(error: ApiError): string {
  if (error.status === 429) return explainWait(error);
  return error.status === 424 ? error.detail : '';
}

/**
 * Returns the message for a failed call of somebody who is not signed in. It names a waiting time
 * or a missing configuration; all other failures get the one sentence of P 8.
 */
export function explainEntryFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.NON_HTTP_ERROR;
  const detail = getOwnText(error);
  if (detail !== '') return detail;
  return (isUnreachable(error) ? explainError(error) : null) ?? messages.NON_HTTP_ERROR;
}
