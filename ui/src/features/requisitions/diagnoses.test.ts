import { describe, expect, it } from 'vitest';

import { orderedTests, withDiagnosis, withoutTests } from './diagnoses';

const test = (id: number) => ({
  id,
  code: `T${id}`,
  name: `Test ${id}`,
  alternateNames: '',
  type: 'TEST' as const,
});
const chosen = (id: number, ...children: number[]) => ({
  test: test(id),
  isConfidential: false,
  children: children.map((child) => ({ test: test(child), isConfidential: false, children: [] })),
});
const i10 = { id: 1, code: 'I10', description: 'Hypertension' };
const tests = orderedTests([chosen(20, 21, 22), chosen(21)]);

describe('The tests that a diagnosis may name', () => {
  it('are the ordered ones and the parts of panels, once each', () => {
    expect(tests.map(({ id }) => id)).toEqual([20, 21, 22]);
  });
});

describe('A diagnosis', () => {
  it('supports all tests when it is added, and is added once', () => {
    const once = withDiagnosis([], i10, tests);
    expect(once).toEqual([{ ...i10, testId: null }]);
    expect(withDiagnosis(once, i10, tests)).toEqual(once);
  });

  it('that names a test may be added for another one, as long as there is one', () => {
    const [a, b, c] = [20, 21, 22].map((testId) => ({ ...i10, testId }));
    if (!a || !b || !c) throw new Error('three tests');
    expect(withDiagnosis([a], i10, tests)).toEqual([a, b]);
    expect(withDiagnosis([a, b, c], i10, tests)).toEqual([a, b, c]);
  });

  it('supports all tests again when the one it named is removed', () => {
    const list = [
      { ...i10, testId: 20 },
      { ...i10, testId: 21 },
    ];
    const left = withoutTests(list, orderedTests([chosen(21)]));
    expect(left.freed).toEqual(['I10']);
    expect(left.diagnoses.map(({ testId }) => testId)).toEqual([null, 21]);
    expect(withoutTests(list, [])).toEqual({
      diagnoses: [{ ...i10, testId: null }],
      freed: ['I10'],
    });
    expect(withoutTests(list, tests).freed).toEqual([]);
  });
});
