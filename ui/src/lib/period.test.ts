import { describe, expect, it } from 'vitest';

import { messages } from '../contract';
import { getToday } from './dates';
import { getDaysAgo, getLastDays, getWiderDays, validatePeriod } from './period';

describe('The period of a search', () => {
  it.each(['13/45/2026', '02/30/2026', '1', '2026-02-30'])('rejects %s', (text) => {
    expect(validatePeriod(text, '2026-03-01')).toEqual({
      start: messages.DATE_INVALID,
      end: undefined,
      invalid: true,
    });
  });

  it('rejects an end before the start', () => {
    expect(validatePeriod('2026-03-02', '2026-03-01').end).toBe(messages.END_DATE_BEFORE_START);
  });

  it.each([
    ['2026-03-01', '2026-03-01'],
    ['', ''],
    ['2026-03-01', ''],
  ])('accepts %s to %s', (start, end) => {
    expect(validatePeriod(start, end).invalid).toBe(false);
  });
});

describe('The next wider period', () => {
  const buildPeriod = (startDate: string, endDate = getToday()) => ({ startDate, endDate });

  it.each([
    [0, 14],
    [13, 14],
    [14, 90],
    [90, 365],
    [365, null],
  ])('after the last %s days has %s', (days, wider) => {
    expect(getWiderDays(buildPeriod(getDaysAgo(days)))).toBe(wider);
  });

  it('ends today, or later if the current period does', () => {
    expect(getLastDays(14, buildPeriod('2026-01-01', '2026-01-02'))).toEqual(
      buildPeriod(getDaysAgo(14)),
    );
    expect(getLastDays(14, buildPeriod(getToday(), '2999-01-01')).endDate).toBe('2999-01-01');
  });
});
