import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canMove, inOrder, moved, onlySelected, renumbered, without } from './ordering';

/** Rows with orders that may have gaps, as responsible parties' do, in any sequence. */
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
const withOne = rows
  .filter((all) => all.length > 0)
  .chain((all) =>
    fc.record({
      all: fc.constant(all),
      selected: fc.constantFrom(...all).map(({ key }) => new Set([key])),
    }),
  );
const keysInOrder = (all: readonly { key: string; order: number }[]) =>
  inOrder(all).map(({ key }) => key);

describe('Moving a row', () => {
  it('works for exactly one selected row that is not at the end it moves to', () => {
    fc.assert(
      fc.property(withSelection, ({ all, selected, direction }) => {
        const keys = keysInOrder(all);
        const [only] = selected;
        const end = direction === 'up' ? keys[0] : keys.at(-1);
        const wanted = selected.size === 1 && all.length > 1 && only !== end;
        expect(canMove(all, selected, direction)).toBe(wanted);
      }),
    );
  });

  it('swaps two neighbours and leaves every other row and all order numbers as they are', () => {
    fc.assert(
      fc.property(withSelection, ({ all, selected, direction }) => {
        const before = keysInOrder(all);
        const after = keysInOrder(moved(all, selected, direction));
        const changed = before.filter((key, index) => after[index] !== key);
        expect(changed).toHaveLength(canMove(all, selected, direction) ? 2 : 0);
        expect(
          moved(all, selected, direction)
            .map((row) => row.order)
            .sort(),
        ).toEqual(all.map((row) => row.order).sort());
      }),
    );
  });

  it('up and then down is as it was', () => {
    fc.assert(
      fc.property(withOne, ({ all, selected }) => {
        fc.pre(canMove(all, selected, 'up'));
        const back = moved(moved(all, selected, 'up'), selected, 'down');
        expect(back).toEqual(inOrder(all));
      }),
    );
  });
});

describe('Removing rows', () => {
  it('leaves the others in their order, numbered from 1', () => {
    fc.assert(
      fc.property(withSelection, ({ all, selected }) => {
        const left = renumbered(without(all, selected));
        expect(left.map(({ order }) => order)).toEqual(left.map((_, index) => index + 1));
        expect(left.map(({ key }) => key)).toEqual(
          keysInOrder(all).filter((key) => !selected.has(key)),
        );
      }),
    );
  });
});

describe('The only selected row', () => {
  it('is nobody when none or several are selected, or when it has gone', () => {
    const all = [
      { key: 'a', order: 1 },
      { key: 'b', order: 2 },
    ];
    expect(onlySelected(all, new Set())).toBeNull();
    expect(onlySelected(all, new Set(['a', 'b']))).toBeNull();
    expect(onlySelected(all, new Set(['gone']))).toBeNull();
    expect(onlySelected(all, new Set(['b', 'gone']))).toBe(all[1]);
  });
});
