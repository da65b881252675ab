import { describe, expect, it } from 'vitest';

import {
  addYear,
  parseIsoDate,
  formatDate,
  formatTime,
  formatTimestamp,
  isIsoDate,
  maskDate,
  parseTypedDate,
  completeCentury,
} from './dates';

describe('Dates', () => {
  it.each([
    ['2026-11-27', '2027-11-27', '2027-11-28'],
    ['2027-03-01', '2028-03-01', '2028-03-02'],
    ['2028-02-29', '2029-02-28', '2029-03-01'],
  ])('up to a year later end on the same day of the next year: %s', (day, last, next) => {
    expect(last <= addYear(day)).toBe(true);
    expect(next > addYear(day)).toBe(true);
  });

  it('are formatted as MM/DD/YYYY', () => {
    expect(formatDate('2026-03-09')).toBe('03/09/2026');
    expect(formatDate(null)).toBe('');
  });

  it('show the time that the portal recorded, midnight too', () => {
    expect(formatTimestamp('2026-03-09T00:00:00')).toBe('03/09/2026 12:00 AM');
    expect(formatTimestamp(null)).toBe('');
  });

  it.each([
    ['00:05', '12:05 AM'],
    ['09:30', '09:30 AM'],
    ['12:00', '12:00 PM'],
    ['14:05', '02:05 PM'],
    ['23:59', '11:59 PM'],
    ['', ''],
  ])('show times by the twelve-hour clock: %s', (time, shownText) => {
    expect(formatTime(time)).toBe(shownText);
  });

  it('are parsed only if they are complete and exist', () => {
    expect(parseTypedDate('02/29/2024')).toBe('2024-02-29');
    expect(parseTypedDate('02/29/2025')).toBeNull();
    expect(parseTypedDate('2/9/2025')).toBe('2025-02-09');
    expect(parseTypedDate('2/30/2025')).toBeNull();
    expect(parseTypedDate('2/9/25')).toBeNull();
    expect(isIsoDate('2025-13-01')).toBe(false);
    expect(parseIsoDate('0099-01-01')?.getFullYear()).toBe(99);
  });
});

describe('Dates while they are typed', () => {
  it('end month and day at any separator', () => {
    expect(maskDate('3/')).toBe('03/');
    expect(maskDate('3/4/61')).toBe('03/04/61');
    expect(maskDate('3-4-1961')).toBe('03/04/1961');
    expect(maskDate('12/3')).toBe('12/3');
  });

  it('accept plain digits, and no more than a date needs', () => {
    expect(maskDate('03')).toBe('03');
    expect(maskDate('03041961')).toBe('03/04/1961');
    expect(maskDate('030419617')).toBe('03/04/1961');
    expect(maskDate('//x')).toBe('');
  });

  it('convert a pasted ISO date', () => {
    expect(maskDate(' 1961-03-04 ')).toBe('03/04/1961');
  });

  it('place two-digit years before the latest day allowed', () => {
    expect(completeCentury('03/04/61', '2026-11-21')).toBe('03/04/1961');
    expect(completeCentury('11/21/26', '2026-11-21')).toBe('11/21/2026');
    expect(completeCentury('11/22/26', '2026-11-21')).toBe('11/22/1926');
    expect(completeCentury('03/04/00', '2031-12-31')).toBe('03/04/2000');
  });

  it('keep incomplete and four-digit years', () => {
    expect(completeCentury('03/04/1', '2026-11-21')).toBe('03/04/1');
    expect(completeCentury('03/04/196', '2026-11-21')).toBe('03/04/196');
    expect(completeCentury('1961-03-04', '2026-11-21')).toBe('1961-03-04');
  });
});
