import { describe, expect, it } from 'vitest';

import { messages } from '../contract';
import { validatePeriod } from './period';

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
