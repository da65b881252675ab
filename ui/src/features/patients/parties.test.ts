import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { blankParty, addParty, updateParty, type Party } from './parties';

const createParty = (order: number, key = `k${order}`): Party => ({
  ...blankParty,
  key,
  id: null,
  country: null,
  order,
});
const parties = fc
  .uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 8 })
  .map((orders) => orders.map((order) => createParty(order)));

describe('A new responsible party', () => {
  it('is the first if there is no other', () => {
    expect(addParty([], blankParty, 'new').map(({ order }) => order)).toEqual([1]);
  });

  it('comes after all others, whatever gaps their order has', () => {
    fc.assert(
      fc.property(parties, (all) => {
        fc.pre(all.length > 0);
        const next = addParty(all, blankParty, 'new');
        expect(next.slice(0, -1)).toEqual(all);
        expect(next.at(-1)?.order).toBe(Math.max(...all.map(({ order }) => order)) + 1);
      }),
    );
  });

  it('is stored with names and address in upper case, like a changed party', () => {
    const typedParty = {
      ...blankParty,
      lastName: ' lópez ',
      firstName: 'ana',
      address: '1 oak st',
    };
    const capitals = { lastName: 'LÓPEZ', firstName: 'ANA', address: '1 OAK ST' };
    expect(addParty([], typedParty, 'new')[0]).toMatchObject(capitals);
    const [first, second] = updateParty([createParty(1), createParty(2)], 'k2', typedParty);
    expect(first).toEqual(createParty(1));
    expect(second).toMatchObject({ ...capitals, order: 2 });
  });
});
