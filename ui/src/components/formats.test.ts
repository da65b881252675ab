import { describe, expect, it } from 'vitest';

import { messages, say } from '../contract';
import { dateOf, formatDate, formatDateTime, isIsoDate, parseTyped } from './dates';
import { applyMask, caretAfter, masks } from './mask';

describe('dates', () => {
  it('writes dates as MM/DD/YYYY', () => {
    expect(formatDate('2026-03-09')).toBe('03/09/2026');
    expect(formatDate(null)).toBe('');
  });

  it('shows a time unless it is midnight, which means unknown', () => {
    expect(formatDateTime('2026-03-09T14:05:00')).toBe('03/09/2026 14:05');
    expect(formatDateTime('2026-03-09T00:00:00')).toBe('03/09/2026');
  });

  it('reads whole, existing days only', () => {
    expect(parseTyped('02/29/2024')).toBe('2024-02-29');
    expect(parseTyped('02/29/2025')).toBeNull();
    expect(parseTyped('2/9/2025')).toBeNull();
    expect(isIsoDate('2025-13-01')).toBe(false);
    expect(dateOf('0099-01-01')?.getFullYear()).toBe(99);
  });
});

describe('masks', () => {
  it('writes as much of the mask as there are digits', () => {
    expect(applyMask('3125550100999', masks.phone)).toBe('312-555-0100');
    expect(applyMask('312', masks.phone)).toBe('312');
    expect(applyMask('3125', masks.phone)).toBe('312-5');
    expect(applyMask('abc', masks.ssn)).toBe('');
  });

  it('keeps the caret behind the same digit', () => {
    expect(caretAfter('312-555', 3)).toBe(3);
    expect(caretAfter('312-555', 4)).toBe(5);
  });
});

describe('say', () => {
  it('fills placeholders by name and leaves unknown ones', () => {
    expect(say(messages.TEST_CODE_NOT_FOUND, { code: 'CMP' })).toBe('Test with code CMP not found');
    expect(say('{a} {b}', { a: 1 })).toBe('1 {b}');
  });
});
