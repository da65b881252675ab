import { describe, expect, it } from 'vitest';

import { formatDateTime, isDateTime, readDateTime, writeDateTime } from './dateTimes';

describe('A date with a time that may be unknown', () => {
  it.each([
    ['2026-03-09T14:05:00', '2026-03-09T14:05'],
    ['2026-03-09T00:00:00', '2026-03-09'],
    [null, ''],
  ])('is read and written unchanged: %s', (iso, value) => {
    expect(readDateTime(iso)).toBe(value);
    expect(writeDateTime(value)).toBe(iso);
  });

  it('shows its time unless it is midnight, which means unknown', () => {
    expect(formatDateTime('2026-03-09T14:05:00')).toBe('03/09/2026 02:05 PM');
    expect(formatDateTime('2026-03-09T00:00:00')).toBe('03/09/2026');
    expect(formatDateTime(null)).toBe('');
  });

  it.each(['03/09/20', '2026-02-30', '2026-03-09T14:', '2026-03-09T25:00', 'T14:05'])(
    'is unfinished or impossible: %s',
    (value) => {
      expect(isDateTime(value)).toBe(false);
      expect(writeDateTime(value)).toBeNull();
    },
  );
});
