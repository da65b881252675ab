import { describe, expect, it } from 'vitest';

import { ResultStatus, Withholding } from '../../contract';
import { row as clinicalRow } from '../../test/orderResults';
import { listReportChanges, listValueChanges } from './resultChanges';

const glucose = { ...clinicalRow, key: 2, name: 'GLUCOSE', result: '81', flag: 'N' };

describe('Changes of values', () => {
  it.each([
    [{ result: '61', flag: 'L' }, ['GLUCOSE 81\u00a0mg/dL\u00a0N, now 61\u00a0mg/dL\u00a0L']],
    [{ flag: 'H' }, ['GLUCOSE 81\u00a0mg/dL\u00a0N, now 81\u00a0mg/dL\u00a0H']],
    [
      { result: null, withheld: Withholding.REVIEW },
      ['GLUCOSE 81\u00a0mg/dL\u00a0N, now UNDER REVIEW'],
    ],
    [{ withheld: Withholding.WITHDRAWN }, ['GLUCOSE 81\u00a0mg/dL\u00a0N, now WITHDRAWN']],
    [
      { result: null, status: ResultStatus.CANCELED },
      ['GLUCOSE 81\u00a0mg/dL\u00a0N, now CANCELED'],
    ],
    [{ comment: 'Hemolyzed' }, ['GLUCOSE, comment']],
    [{ releasedBy: 'Lee Bench' }, []],
  ])('say what it was and what it is: %j', (change, expected) => {
    expect(listValueChanges([glucose], [{ ...glucose, ...change }])).toEqual(expected);
  });

  it('name a first result, and no panel', () => {
    const pending = { ...glucose, result: null, flag: null, status: ResultStatus.PENDING };
    const panel = { ...glucose, key: 1, name: 'PANEL', isPanel: true };
    expect(listValueChanges([panel, pending], [{ ...panel, result: 'X' }, glucose])).toEqual([
      'GLUCOSE PENDING, now 81\u00a0mg/dL\u00a0N',
    ]);
  });
});

describe('Changes of reports', () => {
  it('name the cultures that differ', () => {
    const shown = [
      { name: 'CULTURE, URINE', status: 64 },
      { name: 'CULTURE, BLOOD', status: 64 },
    ];
    const current = [shown[0], { name: 'CULTURE, BLOOD', status: 16 }];
    expect(listReportChanges(shown, current as typeof shown)).toEqual(['CULTURE, BLOOD']);
  });
});
