import { describe, expect, it } from 'vitest';

import { formatAge } from './age';

describe('formatAge', () => {
  it.each([
    ['1951-03-14', '2026-03-13', '74 years'],
    ['1951-03-14', '2026-03-14', '75 years'],
    ['2024-11-23', '2026-11-23', '2 years'],
    ['2024-11-24', '2026-11-23', '23 months'],
    ['2026-10-23', '2026-11-23', '1 month'],
    ['2026-10-24', '2026-11-23', '30 days'],
    ['2026-11-22', '2026-11-23', '1 day'],
    ['2026-11-23', '2026-11-23', '0 days'],
    ['2024-02-29', '2027-02-28', '2 years'],
  ])('says of somebody born on %s that they are on %s %3$s', (birthDate, today, age) => {
    expect(formatAge(birthDate, today)).toBe(age);
  });

  it('is empty without a birth date, and before it', () => {
    expect(formatAge(null)).toBe('');
    expect(formatAge('2026-11-24', '2026-11-23')).toBe('');
  });
});
