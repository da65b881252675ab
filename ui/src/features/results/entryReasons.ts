import { messages } from '../../contract';

/** Why nothing can be saved now: a lock, or no edits. */
export const explainSave = (lock: string | null | undefined): string =>
  lock ?? messages.RESULTS_ALL_SAVED;

/** Why nothing can be released now: a lock, unsaved edits, or nothing entered. */
export const explainRelease = (lock: string | null | undefined, hasUnsaved: boolean): string =>
  lock ?? (hasUnsaved ? messages.RESULTS_UNSAVED : messages.RESULT_NOTHING_TO_RELEASE);
