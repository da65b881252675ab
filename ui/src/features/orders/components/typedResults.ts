import type { FieldError } from '../../../api';
import { changedFields, merge } from '../../../lib/merge';
import type { EntryRow, ResultEntry, ResultWrite } from '../api';

const PARTS = ['result', 'comment'] as const;
export type Part = (typeof PARTS)[number];

/** What stands in the fields of an order's tests, by the field's name: `result.17`. */
export type Values = Readonly<Record<string, string>>;

export const fieldOf = (test: { orderTestId: number }, part: Part): string =>
  `${part}.${test.orderTestId}`;

const testsOf = (entry: ResultEntry) => entry.rows.filter((row) => !row.isPanel);

export const valuesOf = (entry: ResultEntry): Values =>
  Object.fromEntries(
    testsOf(entry).flatMap((row) => PARTS.map((part) => [fieldOf(row, part), row[part] ?? ''])),
  );

export const isEdited = (entry: ResultEntry, values: Values): boolean =>
  changedFields(valuesOf(entry), values).length > 0;

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

/** The sentence about each refused field; the portal names the place among what was sent. */
export function refusedFields(errors: readonly FieldError[], sent: readonly ResultWrite[]): Values {
  return Object.fromEntries(
    errors.flatMap(({ field, message }) => {
      const [, place, part] = /^results\.(\d+)\.(result|comment)$/.exec(field) ?? [];
      const test = sent[Number(place)];
      return test ? [[fieldOf(test, part as Part), message]] : [];
    }),
  );
}

const inWords = (values: Values, row: EntryRow, parts: readonly Part[]): string =>
  parts
    .map((part) => {
      const value = values[fieldOf(row, part)] ?? '';
      if (value === '') return `no ${part}`;
      return part === 'result' ? value : `the comment '${value}'`;
    })
    .join(' and ');

/**
 * A person's edits of `before` on top of what somebody else saved meanwhile (ADR 10). Each test that
 * both changed is named, with what either made of it.
 */
export function putOn(before: ResultEntry, typed: Values, latest: ResultEntry) {
  const base = valuesOf(before);
  const newer = valuesOf(latest);
  const mine = Object.fromEntries(Object.entries(typed).map(([field, it]) => [field, it.trim()]));
  const compared = testsOf(latest).flatMap((row) => {
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
  return { values: merge(base, mine, newer).values, compared: [...new Set(compared)] };
}

/** What was saved, with what was typed since it was sent on top. */
export const typedSince = (sent: Values, now: Values, saved: ResultEntry): Values =>
  merge(sent, now, valuesOf(saved)).values;
