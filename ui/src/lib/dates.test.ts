import { describe, expect, it } from 'vitest';

import {
  dateOf,
  formatDate,
  formatDateTime,
  isIsoDate,
  maskDate,
  parseTyped,
  withCentury,
} from './dates';

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
