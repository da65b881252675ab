import { describe, expect, it } from 'vitest';

import { messages, say } from '../contract';
import {
  dateOf,
  formatDate,
  formatDateTime,
  isIsoDate,
  maskDate,
  parseTyped,
  withCentury,
} from './dates';
import { isEmail } from './email';
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
    expect(parseTyped('2/9/2025')).toBe('2025-02-09');
    expect(parseTyped('2/30/2025')).toBeNull();
    expect(parseTyped('2/9/25')).toBeNull();
    expect(isIsoDate('2025-13-01')).toBe(false);
    expect(dateOf('0099-01-01')?.getFullYear()).toBe(99);
  });
});

describe('dates while they are typed', () => {
  it('ends month and day at any separator', () => {
    expect(maskDate('3/')).toBe('03/');
    expect(maskDate('3/4/61')).toBe('03/04/61');
    expect(maskDate('3-4-1961')).toBe('03/04/1961');
    expect(maskDate('12/3')).toBe('12/3');
  });

  it('takes plain digits as before, and no more than a date needs', () => {
    expect(maskDate('03')).toBe('03');
    expect(maskDate('03041961')).toBe('03/04/1961');
    expect(maskDate('030419617')).toBe('03/04/1961');
    expect(maskDate('//x')).toBe('');
  });

  it('turns a pasted ISO date round', () => {
    expect(maskDate(' 1961-03-04 ')).toBe('03/04/1961');
  });

  it('puts years of two digits in the past of the latest day allowed', () => {
    expect(withCentury('03/04/61', '2026-11-21')).toBe('03/04/1961');
    expect(withCentury('11/21/26', '2026-11-21')).toBe('11/21/2026');
    expect(withCentury('11/22/26', '2026-11-21')).toBe('11/22/1926');
    expect(withCentury('03/04/00', '2031-12-31')).toBe('03/04/2000');
  });

  it('leaves unfinished and whole years alone', () => {
    expect(withCentury('03/04/1', '2026-11-21')).toBe('03/04/1');
    expect(withCentury('03/04/196', '2026-11-21')).toBe('03/04/196');
    expect(withCentury('1961-03-04', '2026-11-21')).toBe('1961-03-04');
  });
});

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

describe('say', () => {
  it('fills placeholders by name and leaves unknown ones', () => {
    expect(say(messages.TEST_CODE_NOT_FOUND, { code: 'CMP' })).toBe('Test with code CMP not found');
    expect(say('{a} {b}', { a: 1 })).toBe('1 {b}');
  });
});

describe('an e-mail address', () => {
  it('is one, and nothing that could be read as several or is not seen', () => {
    expect(isEmail('ann.o-neil+lab@clinic.example')).toBe(true);
    expect(isEmail('añn@clínic.example')).toBe(true);
    for (const other of [':', ',', ';', ' ', '\u0085', '\u2028', '\u200b', '\u00a0']) {
      expect(isEmail(`a${other}b@clinic.example`)).toBe(false);
      expect(isEmail(`ab@cli${other}nic.example`)).toBe(false);
    }
  });
});
