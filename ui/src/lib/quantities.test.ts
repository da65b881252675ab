import { describe, expect, it } from 'vitest';

import { formatQuantity, formatWait } from './quantities';

describe('A quantity', () => {
  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [1_200, '1,200 rows'],
  ])('of %d has the plural by its count', (count, text) => {
    expect(formatQuantity(count, 'row')).toBe(text);
  });

  it('may have an irregular plural', () => {
    expect(formatQuantity(1, 'person', 'people')).toBe('1 person');
    expect(formatQuantity(2, 'person', 'people')).toBe('2 people');
  });
});

describe('A wait', () => {
  it.each([
    [1, '1 second'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [1_182, '20 minutes'],
  ])('of %d seconds is in words', (seconds, text) => {
    expect(formatWait(seconds)).toBe(text);
  });
});
