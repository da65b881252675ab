import { describe, expect, it } from 'vitest';

import { dropColumns, fitWidths } from './useColumnLayout';

/** Which of three columns are rigid: none, because all contain texts. */
const texts = [false, false, false];

describe('fitWidths', () => {
  it('fills the available width to the last pixel', () => {
    expect(fitWidths([100, 100, 100], texts, 401)).toEqual([133, 133, 135]);
  });

  it('shrinks texts a little, but not numbers and dates', () => {
    expect(fitWidths([100, 100, 100], [false, true, false], 280)).toEqual([90, 100, 90]);
  });

  it('shrinks no name below its minimum, but other texts more', () => {
    const minWidths = [95, undefined, undefined];
    expect(fitWidths([100, 100, 100], texts, 275, [], minWidths)).toEqual([95, 90, 90]);
    expect(fitWidths([100, 100, 100], texts, 255, [], minWidths)).toEqual([95, 80, 80]);
    expect(fitWidths([100, 100, 100], texts, 254, [], minWidths)).toEqual([100, 100, 100]);
  });

  it('keeps the widths when the grid has to scroll anyway', () => {
    expect(fitWidths([100, 100, 100], [false, true, false], 200)).toEqual([100, 100, 100]);
    expect(fitWidths([100, 100, 100], [true, true, true], 299)).toEqual([100, 100, 100]);
  });

  it('gives much space to texts, so that numbers stay near their neighbors', () => {
    expect(fitWidths([100, 100, 100], [false, true, false], 812)).toEqual([349, 112, 351]);
    expect(fitWidths([100, 100], [true, true], 400)).toEqual([200, 200]);
  });

  it('gives a column of long texts more of the free space, but shrinks it like the others', () => {
    expect(fitWidths([100, 100, 100], texts, 500, [1, 3, 1])).toEqual([140, 220, 140]);
    expect(fitWidths([100, 100, 100], texts, 270, [1, 3, 1])).toEqual([90, 90, 90]);
  });

  it('returns no widths without columns, and keeps them without room', () => {
    expect(fitWidths([], [], 500)).toEqual([]);
    expect(fitWidths([100], [false], -50)).toEqual([100]);
  });
});

describe('dropColumns', () => {
  const keepColumns = (dropOrders: number[], available: number) =>
    dropColumns(
      dropOrders.map((value, index) => ({ value, index })),
      () => 100,
      ({ value }) => value,
      available,
    ).map(({ index }) => index);

  it('drops columns by their order, the highest first, until the others fit', () => {
    expect(keepColumns([0, 1, 3, 2], 400)).toEqual([0, 1, 2, 3]);
    expect(keepColumns([0, 1, 3, 2], 399)).toEqual([0, 1, 3]);
    expect(keepColumns([0, 1, 3, 2], 200)).toEqual([0, 1]);
  });

  it('keeps a narrow column that still fits where a wider one does not', () => {
    const columns = [
      { id: 'name', width: 100, dropOrder: 0 },
      { id: 'tests', width: 120, dropOrder: 1 },
      { id: 'code', width: 60, dropOrder: 2 },
    ];
    const fitting = dropColumns(
      columns,
      ({ width }) => width,
      ({ dropOrder }) => dropOrder,
      180,
    );
    expect(fitting.map(({ id }) => id)).toEqual(['name', 'code']);
  });

  it('never drops columns of order 0', () => {
    expect(keepColumns([0, 1, 0], 50)).toEqual([0, 2]);
  });
});
