import { describe, expect, it } from 'vitest';

import { applyMask, findCaretPosition, masks } from './mask';

describe('Masks', () => {
  it('are filled as far as the digits go', () => {
    expect(applyMask('3125550100999', masks.phone)).toBe('312-555-0100');
    expect(applyMask('312', masks.phone)).toBe('312');
    expect(applyMask('3125', masks.phone)).toBe('312-5');
    expect(applyMask('abc', masks.ssn)).toBe('');
  });

  it('drop the country code of a pasted phone number only', () => {
    expect(applyMask('+1 (312) 555-0199', masks.phone)).toBe('312-555-0199');
    expect(applyMask('1-312-555-0199', masks.phone)).toBe('312-555-0199');
    expect(applyMask('1234567890', masks.phone)).toBe('123-456-7890');
  });

  it('keep the caret after the same digit', () => {
    expect(findCaretPosition('312-555', 3)).toBe(3);
    expect(findCaretPosition('312-555', 4)).toBe(5);
  });
});
