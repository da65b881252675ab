import { messages } from '../../contract';

/** Why nothing can be saved now: a lock, or no edits. */
export const explainSave = (lock: string | null | undefined): string =>
  lock ?? messages.RESULTS_ALL_SAVED;

/**
 * Why nothing can be released now: a lock, unsaved edits, unreleased parts (`left`), or nothing.
 */
export function explainRelease(
  lock: string | null | undefined,
  hasUnsaved: boolean,
  left: string | null = null,
): string {
  return (
    lock ?? (hasUnsaved ? messages.RESULTS_UNSAVED : (left ?? messages.RESULT_NOTHING_TO_RELEASE))
  );
}
