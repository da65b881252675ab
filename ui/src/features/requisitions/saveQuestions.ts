/** What a user should check before a requisition is saved. Plain functions, apart from the day. */
import { BillTo, limits, messages, say } from '../../contract';
import { countDays, formatDate, getToday } from '../../lib/dates';
import type { ChosenTest } from '../catalog/chosen';
import { parseBillTo } from './billTo';
import type { RequisitionValues } from './fields';

const NAMED_TESTS_MAX = 4;

/** Names the first tests, and how many others there are. */
function nameTests(names: readonly string[]): string {
  const others = names.length - NAMED_TESTS_MAX;
  const namedTests = names.slice(0, NAMED_TESTS_MAX).join(', ');
  return others > 0 ? `${namedTests} and ${others} more` : namedTests;
}

function askAboutDate(date: string): string[] {
  const daysBack = countDays(date, getToday());
  if (daysBack < 0) return [say(messages.SAVE_COLLECTION_AHEAD, { date: formatDate(date) })];
  if (daysBack <= limits.OLD_COLLECTION_DAYS) return [];
  return [say(messages.SAVE_COLLECTION_BACK, { date: formatDate(date), days: daysBack })];
}

const listMembers = (chosenTest: ChosenTest): ChosenTest[] =>
  chosenTest.children.flatMap((child) => [child, ...listMembers(child)]);

/** The tests that a chosen test or panel performs. */
const listPerformed = (chosenTest: ChosenTest): ChosenTest[] =>
  chosenTest.children.length === 0
    ? [chosenTest]
    : listMembers(chosenTest).filter(({ children }) => children.length === 0);

/** Names the tests that two chosen tests or panels both perform, one question for each pair. */
function askAboutDuplicates(tests: readonly ChosenTest[]): string[] {
  return tests.flatMap((first, index) =>
    tests.slice(index + 1).flatMap((second) => {
      const ids = new Set(listPerformed(second).map(({ test }) => test.id));
      const sharedTests = listPerformed(first).filter(({ test }) => ids.has(test.id));
      if (sharedTests.length === 0) return [];
      const part = [first, second].find(({ children }) => children.length === 0);
      if (part !== undefined) {
        const panel = part === first ? second : first;
        const codes = { test: part.test.code, panel: panel.test.code };
        return [say(messages.SAVE_TEST_IN_PANEL, codes)];
      }
      const codes = { first: first.test.code, second: second.test.code };
      const names = nameTests(sharedTests.map(({ test }) => test.name));
      return [say(messages.SAVE_TESTS_IN_BOTH, { ...codes, tests: names })];
    }),
  );
}

/** Another requisition of the same patient and day. */
export interface OtherRequisition {
  code: string;
  tests: readonly ChosenTest[];
}

/** Names other requisitions that perform some of the tests, whether alone or in a panel. */
function askAboutOtherRequisitions(
  tests: readonly ChosenTest[],
  others: readonly OtherRequisition[],
): string[] {
  const ids = new Set(
    tests
      .flatMap((chosenTest) => [chosenTest, ...listMembers(chosenTest)])
      .map(({ test }) => test.id),
  );
  return others.flatMap((other) => {
    const sharedNames = other.tests.flatMap((orderedTest) =>
      (ids.has(orderedTest.test.id) ? [orderedTest] : listPerformed(orderedTest)).filter(
        ({ test }) => ids.has(test.id),
      ),
    );
    if (sharedNames.length === 0) return [];
    const codes = [...new Set(sharedNames.map(({ test }) => test.code))];
    return [say(messages.SAVE_SAME_TESTS, { code: other.code, tests: nameTests(codes) })];
  });
}

/**
 * Returns what a user should check before these values are saved: each may be intended, but most are
 * mistakes.
 * @param others the patient's other requisitions of the collection date
 */
export function listSaveQuestions(
  values: RequisitionValues,
  others: readonly OtherRequisition[],
): string[] {
  const isInsuranceBilled = parseBillTo(values.billTo) === BillTo.INSURANCE;
  return [
    ...askAboutDate(values.collectionDate),
    ...(values.physician === null ? [messages.SAVE_WITHOUT_PHYSICIAN] : []),
    ...(isInsuranceBilled && values.billing.length === 0 ? [messages.SAVE_WITHOUT_INSURANCE] : []),
    ...askAboutDuplicates(values.tests),
    ...askAboutOtherRequisitions(values.tests, others),
  ];
}

/** Returns what a user who can still change it should check before signing these values. */
export function listSignQuestions(
  { physician, diagnoses, additional }: RequisitionValues,
  canChange: { physician: boolean; diagnoses: boolean },
): string[] {
  const isWithoutDiagnosis = diagnoses.length === 0 && additional.length === 0;
  return [
    ...(physician === null && canChange.physician ? [messages.SAVE_WITHOUT_PHYSICIAN] : []),
    ...(isWithoutDiagnosis && canChange.diagnoses ? [messages.SIGN_WITHOUT_DIAGNOSIS] : []),
  ];
}
