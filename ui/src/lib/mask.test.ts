import { describe, expect, it } from 'vitest';

import { applyMask, caretAfter, masks } from './mask';

describe('masks', () => {
  it('writes as much of the mask as there are digits', () => {
    expect(applyMask('3125550100999', masks.phone)).toBe('312-555-0100');
    expect(applyMask('312', masks.phone)).toBe('312');
    expect(applyMask('3125', masks.phone)).toBe('312-5');
    expect(applyMask('abc', masks.ssn)).toBe('');
  });

  it('takes a pasted number with its country, and no other number for another', () => {
    expect(applyMask('+1 (312) 555-0199', masks.phone)).toBe('312-555-0199');
    expect(applyMask('1-312-555-0199', masks.phone)).toBe('312-555-0199');
    expect(applyMask('1234567890', masks.phone)).toBe('123-456-7890');
  });

  it('keeps the caret behind the same digit', () => {
    expect(caretAfter('312-555', 3)).toBe(3);
    expect(caretAfter('312-555', 4)).toBe(5);
  });
});
