import { describe, expect, it } from 'vitest';

import { listOrderedTests, addDiagnosis, detachRemovedTests } from './diagnoses';

const createTest = (id: number) => ({
  id,
  code: `T${id}`,
  name: `Test ${id}`,
  alternateNames: '',
  type: 'TEST' as const,
});
const chooseTest = (id: number, ...children: number[]) => ({
  test: createTest(id),
  isConfidential: false,
  children: children.map((child) => ({
    test: createTest(child),
    isConfidential: false,
    children: [],
  })),
});
const i10 = { id: 1, code: 'I10', description: 'Hypertension' };
const tests = listOrderedTests([chooseTest(20, 21, 22), chooseTest(21)]);

describe('The tests that a diagnosis can name', () => {
  it('are the ordered tests and the members of panels, once each', () => {
    expect(tests.map(({ id }) => id)).toEqual([20, 21, 22]);
  });
});

describe('A diagnosis', () => {
  it('supports all tests when it is added, and is added only once', () => {
    const withI10 = addDiagnosis([], i10, tests);
    expect(withI10).toEqual([{ ...i10, testId: null }]);
    expect(addDiagnosis(withI10, i10, tests)).toEqual(withI10);
  });

  it('that names a test can be added for another test', () => {
    const [a, b, c] = [20, 21, 22].map((testId) => ({ ...i10, testId }));
    if (!a || !b || !c) throw new Error('three tests');
    expect(addDiagnosis([a], i10, tests)).toEqual([a, b]);
    expect(addDiagnosis([a, b, c], i10, tests)).toEqual([a, b, c]);
  });

  it('supports all tests again when its test is removed', () => {
    const list = [
      { ...i10, testId: 20 },
      { ...i10, testId: 21 },
    ];
    const result = detachRemovedTests(list, listOrderedTests([chooseTest(21)]));
    expect(result.detachedCodes).toEqual(['I10']);
    expect(result.diagnoses.map(({ testId }) => testId)).toEqual([null, 21]);
    expect(detachRemovedTests(list, [])).toEqual({
      diagnoses: [{ ...i10, testId: null }],
      detachedCodes: ['I10'],
    });
    expect(detachRemovedTests(list, tests).detachedCodes).toEqual([]);
  });
});
