import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { parseRange, placeInRange, RangeBar } from './RangeBar';

const countBars = (result: string | null, referenceRange: string | null) =>
  render(<RangeBar result={result} referenceRange={referenceRange} tone="normal" />).container
    .childElementCount;

describe('The bar of a reference range', () => {
  it.each([
    ['70 - 99', { low: 70, high: 99 }],
    ['-2.5 - 2.5', { low: -2.5, high: 2.5 }],
    ['>= 60', { low: 60, high: null }],
    ['<= 50', { low: null, high: 50 }],
    ['< 200', { low: null, high: 200 }],
  ])('reads the limits of %s', (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  it.each(['NEGATIVE', 'Deficient: below 20', '1:80', ''])('has no limits in words: %s', (text) => {
    expect(parseRange(text)).toBeNull();
  });

  it.each([
    [70, { low: 70, high: 99 }, 25],
    [99, { low: 70, high: 99 }, 75],
    [84.5, { low: 70, high: 99 }, 50],
    [1010, { low: 70, high: 99 }, 99],
    [1, { low: 70, high: 99 }, 1],
    [60, { low: 60, high: null }, 25],
    [120, { low: 60, high: null }, 75],
    [50, { low: null, high: 50 }, 75],
    [0, { low: null, high: 50 }, 1],
  ])('places %d within %o', (number, range, at) => {
    expect(placeInRange(number, range)?.at).toBe(at);
  });

  it('shows a value inside the band only if it is in the range', () => {
    for (const range of [
      { low: 3.5, high: 5.1 },
      { low: 60, high: null },
      { low: null, high: 200 },
    ]) {
      for (let number = -10; number < 400; number += 0.5) {
        const placement = placeInRange(number, range);
        if (placement === null) throw new Error('no placement');
        const { from, to, at } = placement;
        const isInRange =
          (range.low === null || number >= range.low) &&
          (range.high === null || number <= range.high);
        expect(at >= from && at <= to, `${number}`).toBe(isInRange);
      }
    }
  });

  it('exists only where a number is compared with numbers', () => {
    expect(countBars('84', '70 - 99')).toBe(1);
    expect(countBars('1,010', '70 - 99')).toBe(1);
    expect(countBars('<5', '70 - 99')).toBe(0);
    expect(countBars('POSITIVE', '70 - 99')).toBe(0);
    expect(countBars('84', 'NEGATIVE')).toBe(0);
    expect(countBars('84', null)).toBe(0);
    expect(countBars(null, '70 - 99')).toBe(0);
    expect(countBars('5', '0 - 0')).toBe(0);
  });
});
