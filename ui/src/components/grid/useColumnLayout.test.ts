import { describe, expect, it } from 'vitest';

import { fitted } from './useColumnLayout';

const texts = [false, false, false];

describe('Column widths', () => {
  it('fill what there is, to the last pixel', () => {
    expect(fitted([100, 100, 100], texts, 401)).toEqual([133, 133, 135]);
  });

  it('of texts give way a little, those of numbers and dates do not', () => {
    expect(fitted([100, 100, 100], [false, true, false], 280)).toEqual([90, 100, 90]);
  });

  it('stay as they are where the grid has to scroll anyway', () => {
    expect(fitted([100, 100, 100], [false, true, false], 200)).toEqual([100, 100, 100]);
    expect(fitted([100, 100, 100], [true, true, true], 299)).toEqual([100, 100, 100]);
  });

  it('are nothing where there is no column, or not yet any room', () => {
    expect(fitted([], [], 500)).toEqual([]);
    expect(fitted([100], [false], -50)).toEqual([100]);
  });
});
