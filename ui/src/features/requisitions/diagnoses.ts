/** Diagnoses and the ordered tests that they support. Plain functions: no clock, no request. */
import type { ChosenTest } from '../catalog/components/TestPicker';
import type { Diagnosis, OrderedDiagnosis } from './api';

/** A test that a diagnosis may name: a chosen test, or a member of a panel. */
export interface OrderedTest {
  id: number;
  code: string;
  name: string;
}

/** Returns every ordered test once, panels before their members. */
export function listOrderedTests(tests: readonly ChosenTest[]): OrderedTest[] {
  const allTests = tests.flatMap(({ test, children }): OrderedTest[] => [
    { id: test.id, code: test.code, name: test.name },
    ...listOrderedTests(children),
  ]);
  return [...new Map(allTests.map((test) => [test.id, test])).values()];
}

export const getDiagnosisKey = ({ id, testId }: OrderedDiagnosis): string =>
  `${id}-${testId ?? 'all'}`;

/** Removes duplicate pairs of diagnosis and test. */
const removeDuplicates = (diagnoses: readonly OrderedDiagnosis[]): OrderedDiagnosis[] => [
  ...new Map(diagnoses.map((diagnosis) => [getDiagnosisKey(diagnosis), diagnosis])).values(),
];

/**
 * Adds a diagnosis to the list. If it already supports some tests, it is added for the first of the
 * other tests. If it supports all tests, nothing changes.
 */
export function addDiagnosis(
  diagnoses: readonly OrderedDiagnosis[],
  newDiagnosis: Diagnosis,
  tests: readonly OrderedTest[],
): OrderedDiagnosis[] {
  const supportedTests = diagnoses
    .filter(({ id }) => id === newDiagnosis.id)
    .map(({ testId }) => testId);
  if (supportedTests.length === 0) return [...diagnoses, { ...newDiagnosis, testId: null }];
  const nextTest = supportedTests.includes(null)
    ? undefined
    : tests.find(({ id }) => !supportedTests.includes(id));
  return nextTest ? [...diagnoses, { ...newDiagnosis, testId: nextTest.id }] : [...diagnoses];
}

/**
 * Updates the list after tests were removed: diagnoses that named one of them now support all
 * tests.
 */
export function detachRemovedTests(
  diagnoses: readonly OrderedDiagnosis[],
  tests: readonly OrderedTest[],
): { diagnoses: OrderedDiagnosis[]; detachedCodes: string[] } {
  const detachedDiagnoses = diagnoses.filter(
    ({ testId }) => testId !== null && !tests.some(({ id }) => id === testId),
  );
  return {
    diagnoses: removeDuplicates(
      diagnoses.map((diagnosis) =>
        detachedDiagnoses.includes(diagnosis) ? { ...diagnosis, testId: null } : diagnosis,
      ),
    ),
    detachedCodes: [...new Set(detachedDiagnoses.map(({ code }) => code))],
  };
}
