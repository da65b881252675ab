import { listChangedFields } from '../../../lib/merge';
import { Withholding } from '../../../contract';
import { nameField } from '../fieldNames';
import type { EntryRow, ResultEntry, ResultWrite } from './api';
import { multiplyValue } from './flags';

const PARTS = ['result', 'comment'] as const;
export type Part = (typeof PARTS)[number];

/** The other values of an edit, without result and comment; empty unless the user chose them. */
const NOTE_PARTS = ['reason', 'words', 'confirmed', 'dilution', 'repeat'] as const;
export type NotePart = (typeof NOTE_PARTS)[number];

/** The values of an order's input fields, by field name: `result-17`. */
export type Values = Record<string, string>;

export const getFieldName: (test: { orderTestId: number }, part: Part | NotePart) => string =
  nameField;

/** Returns the label of a field: its test, and its part unless that is the result. */
export function describeField(entry: ResultEntry, field: string): string {
  const [part, id] = field.split('-');
  const name = entry.rows.find(({ orderTestId }) => orderTestId === Number(id))?.name ?? '';
  return part === 'result' ? name : `${name}, ${part}`;
}

/** Returns the field of the answer about a typed value, which only counts for that value. */
export function findConfirmedField(field: string): string | null {
  const [part, id] = field.split('-');
  return part === 'result' || part === 'dilution'
    ? getFieldName({ orderTestId: Number(id) }, 'confirmed')
    : null;
}

/** The tests to enter: a test that two panels contain is entered once. */
const listTests = (entry: ResultEntry) =>
  entry.rows.filter((row) => !row.isPanel && row.sameAs === null);

/**
 * Says where the result of a test in several panels is entered: in which panel or, if the test was
 * ordered alone or twice in one panel, whether above or below.
 */
export function describeOwner(rows: readonly EntryRow[], row: EntryRow): string {
  const owner = rows.find(({ orderTestId }) => orderTestId === row.sameAs);
  const panel = rows.find(({ orderTestId }) => orderTestId === owner?.parentId);
  if (panel !== undefined && panel.orderTestId !== row.parentId) return `Entered in ${panel.name}`;
  const isAbove = owner !== undefined && rows.indexOf(owner) < rows.indexOf(row);
  return isAbove ? 'Entered above' : 'Entered below';
}

export const toFormValues = (entry: ResultEntry): Values =>
  Object.fromEntries(
    listTests(entry).flatMap((row) => [
      ...PARTS.map((part) => [getFieldName(row, part), row[part] ?? ''] as const),
      // A note that is removed again leaves nothing to save.
      ...NOTE_PARTS.map((part) => [getFieldName(row, part), ''] as const),
    ]),
  );

const readField = (row: EntryRow, part: Part | NotePart, values: Values): string =>
  values[getFieldName(row, part)]?.trim() ?? '';

/** A measured value and the factor of its dilution, or null. */
export interface Dilution {
  measuredText: string;
  factor: number;
}

/**
 * Returns the dilution of the value in a test's field. A factor that was just chosen multiplies
 * what is typed, or what was measured before; a saved result keeps its dilution until it is typed
 * again.
 */
export function findDilution(row: EntryRow, values: Values): Dilution | null {
  const result = readField(row, 'result', values);
  const dilution = readField(row, 'dilution', values);
  const savedMeasurement = result === row.result ? row.measured : null;
  const factor = dilution === '' ? savedMeasurement && row.dilution : Number(dilution);
  return result === '' || !factor ? null : { measuredText: savedMeasurement ?? result, factor };
}

/** Returns the value that a save would store, as far as the browser can tell. */
export function computeReported(row: EntryRow, values: Values): string {
  const dilution = findDilution(row, values);
  const result = readField(row, 'result', values);
  if (dilution === null || readField(row, 'dilution', values) === '') return result;
  return multiplyValue(row, dilution.measuredText, dilution.factor) ?? result;
}

/** Returns the edited tests in the format of the portal. */
export function listEdits(entry: ResultEntry, values: Values): ResultWrite[] {
  const fields = listChangedFields(toFormValues(entry), values);
  const isEdited = (row: EntryRow) =>
    PARTS.some((part) => fields.includes(getFieldName(row, part))) ||
    readField(row, 'repeat', values) !== '' ||
    // A withdrawn value may be reported again, for a reason.
    (row.withheld?.kind === Withholding.WITHDRAWN && readField(row, 'reason', values) !== '') ||
    (readField(row, 'dilution', values) !== '' && readField(row, 'result', values) !== '');
  const readValue = (row: EntryRow, part: Part) => {
    const value = readField(row, part, values);
    return value === '' ? null : value;
  };
  return listTests(entry)
    .filter(isEdited)
    .map((row) => {
      const dilution = findDilution(row, values);
      return {
        orderTestId: row.orderTestId,
        result: dilution?.measuredText ?? readValue(row, 'result'),
        comment: readValue(row, 'comment'),
        ...(dilution !== null && { dilution: dilution.factor }),
        ...readNotes(row, values),
      };
    });
}

function readNotes(row: EntryRow, values: Values): Partial<ResultWrite> {
  const read = (part: NotePart) => readField(row, part, values);
  const [reason, words] = [read('reason'), read('words')];
  return {
    ...(reason !== '' && { correction: { reason, words: words === '' ? null : words } }),
    ...(read('confirmed') !== '' && { isConfirmed: true }),
    ...(read('repeat') !== '' && { isRepeat: true }),
  };
}

/** Returns the field of an error; the portal identifies it by its index in the request. */
export function findErrorField(wire: string, results: readonly ResultWrite[]): string | null {
  const [, index, part] = /^results\.(\d+)\.(result|comment)$/.exec(wire) ?? [];
  const test = results[Number(index)];
  return test ? getFieldName(test, part as Part) : null;
}

/** Trims the typed values. */
export const trimValues = (typedValues: Values): Values =>
  Object.fromEntries(Object.entries(typedValues).map(([field, value]) => [field, value.trim()]));

const describeValues = (values: Values, row: EntryRow, parts: readonly Part[]): string =>
  parts
    .map((part) => {
      const value = values[getFieldName(row, part)] ?? '';
      if (value === '') return `no ${part}`;
      return part === 'result' ? value : `the comment '${value}'`;
    })
    .join(' and ');

/**
 * Returns a line for each test that both this person and somebody else changed since `before`, with
 * both values (ADR 10). A result and its comment are compared together.
 */
export function compareResults(before: ResultEntry, mine: Values, latest: ResultEntry): string[] {
  const [base, newer] = [toFormValues(before), toFormValues(latest)];
  return listTests(latest).flatMap((row) => {
    const listChangedParts = (values: Values) =>
      PARTS.filter((part) => values[getFieldName(row, part)] !== base[getFieldName(row, part)]);
    const [theirs, own] = [listChangedParts(newer), listChangedParts(mine)];
    const isEqual = own.every(
      (part) => mine[getFieldName(row, part)] === newer[getFieldName(row, part)],
    );
    if (theirs.length === 0 || isEqual) return [];
    const author = row.enteredBy === null ? '' : `entered by ${row.enteredBy}; `;
    const [theirText, ownText] = [
      describeValues(newer, row, theirs),
      describeValues(mine, row, own),
    ];
    return [`${row.name}: ${theirText} now, ${author}you typed ${ownText}`];
  });
}
