/** Diagnoses and the ordered test that each supports. Plain functions: no clock, no request. */
import type { ChosenTest } from '../catalog/components/TestPicker';
import type { Diagnosis, OrderedDiagnosis } from './api';

/** A test that a diagnosis may name: one that was chosen, or a panel's part. */
export interface OrderedTest {
  id: number;
  code: string;
  name: string;
}

/** Every ordered test once, panels before their parts. */
export function orderedTests(tests: readonly ChosenTest[]): OrderedTest[] {
  const all = tests.flatMap(({ test, children }): OrderedTest[] => [
    { id: test.id, code: test.code, name: test.name },
    ...orderedTests(children),
  ]);
  return [...new Map(all.map((test) => [test.id, test])).values()];
}

export const keyOf = ({ id, testId }: OrderedDiagnosis): string => `${id}-${testId ?? 'all'}`;

/** Each pair of diagnosis and test once, in order. */
const different = (diagnoses: readonly OrderedDiagnosis[]): OrderedDiagnosis[] => [
  ...new Map(diagnoses.map((one) => [keyOf(one), one])).values(),
];

/**
 * The list with a diagnosis behind it. One that is there for certain tests only is added for the
 * first test that it does not name; one that supports all of them already changes nothing.
 */
export function withDiagnosis(
  diagnoses: readonly OrderedDiagnosis[],
  added: Diagnosis,
  tests: readonly OrderedTest[],
): OrderedDiagnosis[] {
  const named = diagnoses.filter(({ id }) => id === added.id).map(({ testId }) => testId);
  if (named.length === 0) return [...diagnoses, { ...added, testId: null }];
  const next = named.includes(null) ? undefined : tests.find(({ id }) => !named.includes(id));
  return next ? [...diagnoses, { ...added, testId: next.id }] : [...diagnoses];
}

/** The list after tests have gone: what named one of them supports all tests from now on. */
export function withoutTests(
  diagnoses: readonly OrderedDiagnosis[],
  tests: readonly OrderedTest[],
): { diagnoses: OrderedDiagnosis[]; freed: string[] } {
  const lost = diagnoses.filter(
    ({ testId }) => testId !== null && !tests.some(({ id }) => id === testId),
  );
  return {
    diagnoses: different(
      diagnoses.map((one) => (lost.includes(one) ? { ...one, testId: null } : one)),
    ),
    freed: [...new Set(lost.map(({ code }) => code))],
  };
}
