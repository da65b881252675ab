import { describe, expect, it } from 'vitest';

import { formatQuantity } from './quantities';

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
