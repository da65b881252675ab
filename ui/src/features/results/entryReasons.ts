import { messages } from '../../contract';

/**
 * Why nothing can be saved now: a lock, a conflict that the person has to settle, what the edits
 * lack, or no edits.
 */
export function explainSave(
  lock: string | null | undefined,
  isInConflict: boolean,
  missing: string | null = null,
): string {
  return (
    lock ?? (isInConflict ? messages.RESULTS_IN_CONFLICT : (missing ?? messages.RESULTS_ALL_SAVED))
  );
}

/**
 * Why nothing can be released now: a lock, unsaved edits, the obstacle of the entered results, or
 * their absence.
 */
export function explainRelease(
  lock: string | null | undefined,
  hasUnsaved: boolean,
  obstacle: string | null = null,
): string {
  return (
    lock ??
    (hasUnsaved ? messages.RESULTS_UNSAVED : (obstacle ?? messages.RESULT_NOTHING_TO_RELEASE))
  );
}

/** The names of the tests whose specimen must be collected again. */
export const listTestsAwaitingCollection = (
  tests: readonly { name: string; awaitsCollection: boolean }[],
): string[] => tests.filter(({ awaitsCollection }) => awaitsCollection).map(({ name }) => name);

/** The names of the tests whose result was entered before the specimen was received. */
export const listTestsBeforeSpecimen = (
  tests: readonly { name: string; predatesSpecimen: boolean }[],
): string[] => tests.filter(({ predatesSpecimen }) => predatesSpecimen).map(({ name }) => name);

/** Lists what to know about results in another unit than their test or their limits. */
export const listUnitNotices = (
  tests: readonly { name: string; unitNotice: string | null }[],
): string[] =>
  tests.flatMap(({ name, unitNotice }) => (unitNotice ? [`${name}: ${unitNotice}`] : []));
