import { describe, expect, it } from 'vitest';

import {
  buildListFormat,
  buildProseFormat,
  textFormat,
  buildTableOptions,
  type FieldTable,
} from './fieldTable';

interface Values {
  place: string;
  note: string;
  codes: string[];
  owners: string[];
}

const codes = buildListFormat<string>(
  (code) => code,
  (code) => code,
);
const table: FieldTable<Values> = {
  place: { label: 'Place', wire: 'placeId', format: textFormat },
  note: { label: 'Note', wire: null, format: buildProseFormat((text: string) => text) },
  codes: { label: 'Codes', wire: 'codes', format: codes, errorLevel: 'item' },
  owners: { label: 'Owners', wire: 'owners', format: codes, errorLevel: 'part' },
};
const { findField, getLabel, describeEdit, summarize } = buildTableOptions(table);

const buildValues = (change: Partial<Values>): Values => ({
  place: '',
  note: '',
  codes: [],
  owners: [],
  ...change,
});

describe('A field table', () => {
  it.each([
    ['placeId', 'place'],
    ['placeId.room', 'place'],
    ['codes', 'codes'],
    ['codes.2.name', 'codes.2'],
    ['owners.2.name', 'owners.2.name'],
    ['place', null],
    ['note', null],
  ])('maps an error of %s to %s', (wire, field) => {
    expect(findField(wire)).toBe(field);
  });

  it('returns the label of a field', () => {
    expect(getLabel('place')).toBe('Place');
  });

  it.each([
    [{ place: 'WEST' }, 'place', 'WEST'],
    [{}, 'place', 'none'],
    [{ note: 'Call' }, 'note', "'Call'"],
    [{}, 'note', 'none'],
    [{ note: 'x'.repeat(70) }, 'note', `'${'x'.repeat(60)}…'`],
    [{ codes: ['A', 'B'] }, 'codes', 'A, B'],
    [{}, 'codes', 'none'],
  ])('summarizes %j in field %s', (change, field, expected) => {
    expect(summarize(field, buildValues(change))).toBe(expected);
  });

  it.each([
    [{ place: 'x'.repeat(70) }, {}, 'place', 'x'.repeat(70)],
    [{}, { note: 'Call' }, 'note', 'removed'],
    [{ codes: ['A', 'B'] }, { codes: ['B', 'C'] }, 'codes', 'added A; removed C'],
    [{ codes: ['A', 'B'] }, { codes: ['B', 'A'] }, 'codes', 'changed'],
  ])(
    'describes the edit %j against the saved values %j in field %s',
    (mine, savedValues, field, expected) => {
      expect(describeEdit(field, buildValues(mine), buildValues(savedValues))).toBe(expected);
    },
  );
});
