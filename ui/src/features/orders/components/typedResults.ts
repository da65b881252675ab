import { changedFields } from '../../../lib/merge';
import type { EntryRow, ResultEntry, ResultWrite } from '../api';

const PARTS = ['result', 'comment'] as const;
export type Part = (typeof PARTS)[number];

/** What stands in the fields of an order's tests, by the field's name: `result-17`. */
export type Values = Record<string, string>;

export const fieldOf = (test: { orderTestId: number }, part: Part): string =>
  `${part}-${test.orderTestId}`;

const testsOf = (entry: ResultEntry) => entry.rows.filter((row) => !row.isPanel);

export const valuesOf = (entry: ResultEntry): Values =>
  Object.fromEntries(
    testsOf(entry).flatMap((row) => PARTS.map((part) => [fieldOf(row, part), row[part] ?? ''])),
  );

/** The tests that were edited, as the portal takes them. */
export function edited(entry: ResultEntry, values: Values): ResultWrite[] {
  const fields = changedFields(valuesOf(entry), values);
  const read = (row: EntryRow, part: Part) => {
    const value = values[fieldOf(row, part)]?.trim() ?? '';
    return value === '' ? null : value;
  };
  return testsOf(entry)
    .filter((row) => PARTS.some((part) => fields.includes(fieldOf(row, part))))
    .map((row) => ({
      orderTestId: row.orderTestId,
      result: read(row, 'result'),
      comment: read(row, 'comment'),
    }));
}

/** The field of a refusal; the portal names the place among what was sent. */
export function fieldOfRefusal(wire: string, sent: readonly ResultWrite[]): string | null {
  const [, place, part] = /^results\.(\d+)\.(result|comment)$/.exec(wire) ?? [];
  const test = sent[Number(place)];
  return test ? fieldOf(test, part as Part) : null;
}

/** What was typed, without the blanks that nobody means. */
export const tidy = (typed: Values): Values =>
  Object.fromEntries(Object.entries(typed).map(([field, value]) => [field, value.trim()]));

const inWords = (values: Values, row: EntryRow, parts: readonly Part[]): string =>
  parts
    .map((part) => {
      const value = values[fieldOf(row, part)] ?? '';
      if (value === '') return `no ${part}`;
      return part === 'result' ? value : `the comment '${value}'`;
    })
    .join(' and ');

/**
 * Each test that a person and somebody else changed since `before`, with what either made of it
 * (ADR 10): a result and its comment are looked at together.
 */
export function compareResults(before: ResultEntry, mine: Values, latest: ResultEntry): string[] {
  const [base, newer] = [valuesOf(before), valuesOf(latest)];
  const lines = testsOf(latest).flatMap((row) => {
    const changed = (values: Values) =>
      PARTS.filter((part) => values[fieldOf(row, part)] !== base[fieldOf(row, part)]);
    const [theirs, own] = [changed(newer), changed(mine)];
    const agreed = own.every((part) => mine[fieldOf(row, part)] === newer[fieldOf(row, part)]);
    if (theirs.length === 0 || agreed) return [];
    const who = row.enteredBy === null ? '' : `entered by ${row.enteredBy}; `;
    const [now, here] = [inWords(newer, row, theirs), inWords(mine, row, own)];
    return [`${row.name}: ${now} now, ${who}you typed ${here}`];
  });
  // A test of two panels is there twice.
  return [...new Set(lines)];
}
