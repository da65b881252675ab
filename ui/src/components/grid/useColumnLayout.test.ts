import { describe, expect, it } from 'vitest';

import { fitWidths } from './useColumnLayout';

const texts = [false, false, false];

describe('fitWidths', () => {
  it('fills the available width to the last pixel', () => {
    expect(fitWidths([100, 100, 100], texts, 401)).toEqual([133, 133, 135]);
  });

  it('shrinks texts a little, but not numbers and dates', () => {
    expect(fitWidths([100, 100, 100], [false, true, false], 280)).toEqual([90, 100, 90]);
  });

  it('keeps the widths when the grid has to scroll anyway', () => {
    expect(fitWidths([100, 100, 100], [false, true, false], 200)).toEqual([100, 100, 100]);
    expect(fitWidths([100, 100, 100], [true, true, true], 299)).toEqual([100, 100, 100]);
  });

  it('returns no widths without columns, and keeps them without room', () => {
    expect(fitWidths([], [], 500)).toEqual([]);
    expect(fitWidths([100], [false], -50)).toEqual([100]);
  });
});
