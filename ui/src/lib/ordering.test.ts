import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canMove, sortRows, moveRow, findOnlySelected, renumberRows, removeRows } from './ordering';

/** Rows in any sequence, with gaps in their numbers as responsible parties have them. */
const rows = fc
  .uniqueArray(fc.nat({ max: 500 }), { maxLength: 12 })
  .map((orders) => orders.map((order, index) => ({ key: `k${index}`, order: order + 1 })));
const withSelection = rows.chain((all) =>
  fc.record({
    all: fc.constant(all),
    selected: fc.subarray(all.map(({ key }) => key)).map((keys) => new Set(keys)),
    direction: fc.constantFrom('up', 'down'),
  }),
);
const withOneSelected = rows
  .filter((all) => all.length > 0)
  .chain((all) =>
    fc.record({
      all: fc.constant(all),
      selected: fc.constantFrom(...all).map(({ key }) => new Set([key])),
    }),
  );
const listKeysInOrder = (all: readonly { key: string; order: number }[]) =>
  sortRows(all).map(({ key }) => key);

describe('Moving a row', () => {
  it('is allowed for exactly one selected row that is not at that end', () => {
    fc.assert(
      fc.property(withSelection, ({ all, selected, direction }) => {
        const keys = listKeysInOrder(all);
        const [only] = selected;
        const end = direction === 'up' ? keys[0] : keys.at(-1);
        const expected = selected.size === 1 && all.length > 1 && only !== end;
        expect(canMove(all, selected, direction)).toBe(expected);
      }),
    );
  });

  it('swaps two neighbors and keeps all other rows and numbers', () => {
    fc.assert(
      fc.property(withSelection, ({ all, selected, direction }) => {
        const before = listKeysInOrder(all);
        const after = listKeysInOrder(moveRow(all, selected, direction));
        const changedKeys = before.filter((key, index) => after[index] !== key);
        expect(changedKeys).toHaveLength(canMove(all, selected, direction) ? 2 : 0);
        expect(
          moveRow(all, selected, direction)
            .map((row) => row.order)
            .sort(),
        ).toEqual(all.map((row) => row.order).sort());
      }),
    );
  });

  it('up and back down restores the order', () => {
    fc.assert(
      fc.property(withOneSelected, ({ all, selected }) => {
        fc.pre(canMove(all, selected, 'up'));
        const back = moveRow(moveRow(all, selected, 'up'), selected, 'down');
        expect(back).toEqual(sortRows(all));
      }),
    );
  });
});

describe('Removing rows', () => {
  it('keeps the order of the others and numbers them from 1', () => {
    fc.assert(
      fc.property(withSelection, ({ all, selected }) => {
        const remainingRows = renumberRows(removeRows(all, selected));
        expect(remainingRows.map(({ order }) => order)).toEqual(
          remainingRows.map((_, index) => index + 1),
        );
        expect(remainingRows.map(({ key }) => key)).toEqual(
          listKeysInOrder(all).filter((key) => !selected.has(key)),
        );
      }),
    );
  });
});

describe('The only selected row', () => {
  it('is null when none or several rows are selected, or the row is gone', () => {
    const all = [
      { key: 'a', order: 1 },
      { key: 'b', order: 2 },
    ];
    expect(findOnlySelected(all, new Set())).toBeNull();
    expect(findOnlySelected(all, new Set(['a', 'b']))).toBeNull();
    expect(findOnlySelected(all, new Set(['gone']))).toBeNull();
    expect(findOnlySelected(all, new Set(['b', 'gone']))).toBe(all[1]);
  });
});
