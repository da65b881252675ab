import { describe, expect, it } from 'vitest';

import { merge } from './merge';

const base = { priority: 'ROUTINE', comments: '', tests: [1] };

describe('Two people at one record', () => {
  it('both keep what only they changed', () => {
    const found = merge(base, { ...base, comments: 'Mine' }, { ...base, priority: 'STAT' });
    expect(found.values).toEqual({ priority: 'STAT', comments: 'Mine', tests: [1] });
    expect(found).toMatchObject({ adopted: ['priority'], contested: [] });
  });

  it('are told where both changed the same', () => {
    const found = merge(base, { ...base, tests: [1, 2] }, { ...base, tests: [] });
    expect(found.values.tests).toEqual([1, 2]);
    expect(found).toMatchObject({ adopted: [], contested: ['tests'], dropped: [] });
  });

  it('are told where nobody knows who changed it', () => {
    const found = merge({ priority: 'ROUTINE' }, { ...base, comments: 'Mine' }, base);
    expect(found).toMatchObject({ values: { comments: 'Mine' }, contested: ['comments'] });
  });

  it('have changed nothing where only the keys come in another order', () => {
    const one = { a: 1, b: [{ c: 2, d: 3 }] };
    const same = { b: [{ d: 3, c: 2 }], a: 1 };
    const theirs = { ...one, a: 5 };
    const found = merge({ field: one }, { field: same }, { field: theirs });
    expect(found).toMatchObject({ values: { field: theirs }, adopted: ['field'], contested: [] });
  });

  it('agree where both changed it to the same', () => {
    const both = { ...base, priority: 'STAT' };
    expect(merge(base, both, both)).toEqual({
      values: both,
      adopted: [],
      contested: [],
      dropped: [],
    });
  });
});

describe('A field that the newer record does not take any more', () => {
  const editable = (name: string) => name === 'comments';

  it('is as it was saved, and named where this person had changed it', () => {
    const mine = { ...base, priority: 'STAT', comments: 'Mine' };
    const found = merge(base, mine, { ...base, tests: [2] }, { editable });
    expect(found.values).toEqual({ priority: 'ROUTINE', comments: 'Mine', tests: [2] });
    expect(found).toMatchObject({ adopted: ['tests'], contested: [], dropped: ['priority'] });
  });

  it('is not named where both changed it to the same', () => {
    const both = { ...base, priority: 'STAT' };
    expect(merge(base, both, both, { editable }).dropped).toEqual([]);
  });
});

describe('A list that two people change', () => {
  interface Entry {
    id: number;
    note?: string;
  }
  const entryKey = () => (entry: unknown) => (entry as Entry).id;
  const lists = (before: Entry[], mine: Entry[], theirs: Entry[]) => {
    const { values, ...said } = merge(
      { list: before },
      { list: mine },
      { list: theirs },
      { entryKey },
    );
    return { list: values.list, ...said };
  };
  const [a, b, c] = [{ id: 1 }, { id: 2 }, { id: 3 }];

  it('has what both added', () => {
    expect(lists([a], [a, b], [a, c])).toMatchObject({
      list: [a, b, c],
      adopted: ['list'],
      contested: [],
    });
  });

  it('has nothing that either removed', () => {
    expect(lists([a, b], [b, c], [a])).toMatchObject({ list: [c], adopted: ['list'] });
  });

  it('has an entry that both added once', () => {
    expect(lists([], [a, b], [a, c]).list).toEqual([a, b, c]);
  });

  it('has an entry as whoever changed it left it, and this person where both did', () => {
    const [mine, theirs] = [
      { id: 1, note: 'Mine' },
      { id: 1, note: 'Theirs' },
    ];
    expect(lists([a], [a, b], [theirs])).toMatchObject({ list: [theirs, b], adopted: ['list'] });
    expect(lists([a], [mine], [theirs, c])).toMatchObject({
      list: [mine, c],
      contested: ['list'],
    });
    expect(lists([a, b], [b], [theirs, b])).toMatchObject({ list: [b], contested: ['list'] });
  });
});
