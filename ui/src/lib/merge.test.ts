import { describe, expect, it } from 'vitest';

import { merge } from './merge';

const base = { priority: 'ROUTINE', comments: '', tests: [1] };

describe('Merging the edits of two people', () => {
  it('keeps fields that only one of them changed', () => {
    const mergeResult = merge(base, { ...base, comments: 'Mine' }, { ...base, priority: 'STAT' });
    expect(mergeResult.values).toEqual({ priority: 'STAT', comments: 'Mine', tests: [1] });
    expect(mergeResult).toMatchObject({ adopted: ['priority'], contested: [] });
  });

  it('reports fields that both changed', () => {
    const mergeResult = merge(base, { ...base, tests: [1, 2] }, { ...base, tests: [] });
    expect(mergeResult.values.tests).toEqual([1, 2]);
    expect(mergeResult).toMatchObject({ adopted: [], contested: ['tests'], dropped: [] });
  });

  it('reports fields whose original value is unknown', () => {
    const mergeResult = merge({ priority: 'ROUTINE' }, { ...base, comments: 'Mine' }, base);
    expect(mergeResult).toMatchObject({ values: { comments: 'Mine' }, contested: ['comments'] });
  });

  it('ignores the order of object keys', () => {
    const original = { a: 1, b: [{ c: 2, d: 3 }] };
    const reorderedValues = { b: [{ d: 3, c: 2 }], a: 1 };
    const theirs = { ...original, a: 5 };
    const mergeResult = merge({ field: original }, { field: reorderedValues }, { field: theirs });
    expect(mergeResult).toMatchObject({
      values: { field: theirs },
      adopted: ['field'],
      contested: [],
    });
  });

  it('accepts the same change made by both', () => {
    const both = { ...base, priority: 'STAT' };
    expect(merge(base, both, both)).toEqual({
      values: both,
      adopted: [],
      contested: [],
      dropped: [],
    });
  });
});

describe('Merging a field that is no longer editable', () => {
  const isEditable = (name: string) => name === 'comments';

  it('keeps the saved value and reports the lost edit', () => {
    const mine = { ...base, priority: 'STAT', comments: 'Mine' };
    const mergeResult = merge(base, mine, { ...base, tests: [2] }, { isEditable });
    expect(mergeResult.values).toEqual({ priority: 'ROUTINE', comments: 'Mine', tests: [2] });
    expect(mergeResult).toMatchObject({ adopted: ['tests'], contested: [], dropped: ['priority'] });
  });

  it('reports nothing when both made the same change', () => {
    const both = { ...base, priority: 'STAT' };
    expect(merge(base, both, both, { isEditable }).dropped).toEqual([]);
  });
});

describe('Merging a list that two people changed', () => {
  interface Item {
    id: number;
    note?: string;
  }
  const getItemKey = () => (item: unknown) => (item as Item).id;
  const mergeLists = (before: Item[], mine: Item[], theirs: Item[]) => {
    const { values, ...report } = merge(
      { list: before },
      { list: mine },
      { list: theirs },
      { getItemKey },
    );
    return { list: values.list, ...report };
  };
  const [a, b, c] = [{ id: 1 }, { id: 2 }, { id: 3 }];

  it('keeps the items that either added', () => {
    expect(mergeLists([a], [a, b], [a, c])).toMatchObject({
      list: [a, b, c],
      adopted: ['list'],
      contested: [],
    });
  });

  it('drops the items that either removed', () => {
    expect(mergeLists([a, b], [b, c], [a])).toMatchObject({ list: [c], adopted: ['list'] });
  });

  it('keeps an item that both added only once', () => {
    expect(mergeLists([], [a, b], [a, c]).list).toEqual([a, b, c]);
  });

  it("keeps the changed item, and this person's version where both changed it", () => {
    const [mine, theirs] = [
      { id: 1, note: 'Mine' },
      { id: 1, note: 'Theirs' },
    ];
    expect(mergeLists([a], [a, b], [theirs])).toMatchObject({
      list: [theirs, b],
      adopted: ['list'],
    });
    expect(mergeLists([a], [mine], [theirs, c])).toMatchObject({
      list: [mine, c],
      contested: ['list'],
    });
    expect(mergeLists([a, b], [b], [theirs, b])).toMatchObject({ list: [b], contested: ['list'] });
  });

  it('follows the order of the person who moved items, and contests the list if both did', () => {
    const d = { id: 4 };
    expect(mergeLists([a, b, c], [a, b, c, d], [c, b, a])).toMatchObject({
      list: [c, b, a, d],
      contested: [],
    });
    expect(mergeLists([a, b, c], [b, a, c], [c, b, a])).toMatchObject({
      list: [b, a, c],
      contested: ['list'],
    });
  });

  it('renumbers the rows of a numbered list', () => {
    const createRow = (id: number, order: number, note?: string) => ({ id, order, note });
    const [before, mine, theirs] = [
      [createRow(1, 1), createRow(2, 2)],
      [createRow(1, 2), createRow(2, 1), createRow(3, 3)],
      [createRow(1, 1, 'Theirs'), createRow(2, 2), createRow(4, 3)],
    ];
    expect(mergeLists(before, mine, theirs)).toMatchObject({
      list: [createRow(2, 1), createRow(1, 2, 'Theirs'), createRow(3, 3), createRow(4, 4)],
      contested: [],
    });
  });
});
