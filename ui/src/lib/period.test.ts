import { describe, expect, it } from 'vitest';

import { messages } from '../contract';
import { periodErrors } from './period';

describe('The days of a search', () => {
  it.each(['13/45/2026', '02/30/2026', '1', '2026-02-30'])('refuse %s', (text) => {
    expect(periodErrors(text, '2026-03-01')).toEqual({
      start: messages.DATE_INVALID,
      end: undefined,
      invalid: true,
    });
  });

  it('refuse an end before the start', () => {
    expect(periodErrors('2026-03-02', '2026-03-01').end).toBe(messages.END_DATE_BEFORE_START);
  });

  it.each([
    ['2026-03-01', '2026-03-01'],
    ['', ''],
    ['2026-03-01', ''],
  ])('take %s to %s', (start, end) => {
    expect(periodErrors(start, end).invalid).toBe(false);
  });
});
