import { messages, say } from '../../contract';

/** Why nothing can be saved now: a lock, or no edits. */
export const explainSave = (lock: string | null | undefined): string =>
  lock ?? messages.RESULTS_ALL_SAVED;

/** Why nothing can be released now: a lock, unsaved edits, only results `left` behind, or none. */
export function explainRelease(
  lock: string | null | undefined,
  hasUnsaved: boolean,
  left: readonly string[] = [],
): string {
  if (lock !== null && lock !== undefined) return lock;
  if (hasUnsaved) return messages.RESULTS_UNSAVED;
  if (left.length === 0) return messages.RESULT_NOTHING_TO_RELEASE;
  return say(messages.CONFIRM_RELEASE_LEFT, { results: left.join(', ') });
}
