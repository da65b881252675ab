import { describe, expect, it } from 'vitest';

import { sayEntries, sayProse, sayText, tableOptions, type FieldTable } from './fieldTable';

interface Values {
  place: string;
  note: string;
  codes: string[];
  owners: string[];
}

const codes = sayEntries<string>(
  (code) => code,
  (code) => code,
);
const table: FieldTable<Values> = {
  place: { label: 'Place', wire: 'placeId', words: sayText },
  note: { label: 'Note', wire: null, words: sayProse((text: string) => text) },
  codes: { label: 'Codes', wire: 'codes', words: codes, refused: 'row' },
  owners: { label: 'Owners', wire: 'owners', words: codes, refused: 'part' },
};
const { fieldOf, labelOf, wordsOf, brieflyOf } = tableOptions(table);

const values = (change: Partial<Values>): Values => ({
  place: '',
  note: '',
  codes: [],
  owners: [],
  ...change,
});

describe('A table of fields', () => {
  it.each([
    ['placeId', 'place'],
    ['placeId.room', 'place'],
    ['codes', 'codes'],
    ['codes.2.name', 'codes.2'],
    ['owners.2.name', 'owners.2.name'],
    ['place', null],
    ['note', null],
  ])('leads a refusal of %s to %s', (wire, field) => {
    expect(fieldOf(wire)).toBe(field);
  });

  it('names a field as people call it', () => {
    expect(labelOf('place')).toBe('Place');
  });

  it.each([
    [{ place: 'WEST' }, 'place', 'WEST'],
    [{}, 'place', 'none'],
    [{ note: 'Call' }, 'note', "'Call'"],
    [{}, 'note', 'none'],
    [{ note: 'x'.repeat(70) }, 'note', `'${'x'.repeat(60)}…'`],
    [{ codes: ['A', 'B'] }, 'codes', 'A, B'],
    [{}, 'codes', 'none'],
  ])('says briefly what %j holds in %s', (change, field, words) => {
    expect(brieflyOf(field, values(change))).toBe(words);
  });

  it.each([
    [{ place: 'x'.repeat(70) }, {}, 'place', 'x'.repeat(70)],
    [{}, { note: 'Call' }, 'note', 'removed'],
    [{ codes: ['A', 'B'] }, { codes: ['B', 'C'] }, 'codes', 'added A; removed C'],
    [{ codes: ['A', 'B'] }, { codes: ['B', 'A'] }, 'codes', 'changed'],
  ])('says of %j, where %j is saved, what was entered in %s', (mine, saved, field, words) => {
    expect(wordsOf(field, values(mine), values(saved))).toBe(words);
  });
});
