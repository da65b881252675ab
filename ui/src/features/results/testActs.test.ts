import { describe, expect, it } from 'vitest';

import { messages, Withholding } from '../../contract';
import type { TestAct } from './api';
import { describeTestAct } from './testActs';

const orderTestIds = [7];
const reason = { reason: 'SPECIMEN', words: null };

const acts: readonly TestAct[] = [
  { path: 'withhold', body: { orderTestIds, kind: Withholding.REVIEW, ...reason } },
  { path: 'withhold', body: { orderTestIds, kind: Withholding.WITHDRAWN, ...reason } },
  { path: 'restore', body: { orderTestIds } },
  { path: 'holds', body: { orderTestIds, everyOrder: false, ...reason } },
  { path: 'holds', body: { orderTestIds, everyOrder: true, ...reason } },
  { path: 'holds/3/lift', body: {} },
];

describe('An act on a result', () => {
  it('has its own text', () => {
    expect(acts.map(describeTestAct)).toEqual([
      messages.RESULT_REVIEW_BEGUN,
      messages.RESULT_TAKEN_BACK,
      messages.RESULT_REVIEW_ENDED,
      messages.RESULT_HELD,
      messages.RESULT_HELD_EVERYWHERE,
      messages.RESULT_HOLD_LIFTED,
    ]);
  });
});
