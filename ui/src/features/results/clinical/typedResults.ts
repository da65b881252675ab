import { listChangedFields } from '../../../lib/merge';
import { Withholding } from '../../../contract';
import { nameField } from '../fieldNames';
import {
  computeReported as computeReportedValue,
  findDilution,
  findShownPart,
  hasNewMeasurement,
  readMeasurement,
  type Multiply,
} from '../measurement';
import type { EntryRow, ResultEntry, ResultWrite } from './api';
import { multiplyValue } from './flags';

const PARTS = ['result', 'comment'] as const;
export type Part = (typeof PARTS)[number];

/** Further values of an edit; each is empty until the user chooses it. */
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

/** Multiplies a measured value of a test by its dilution. */
export const multiplyBy =
  (row: EntryRow): Multiply =>
  (measuredText, factor) =>
    multiplyValue(row, measuredText, factor);

/** Returns the value that a save would store, as far as the browser can tell. */
export const computeReported = (row: EntryRow, values: Values): string =>
  computeReportedValue(row, values, multiplyBy(row));

/** Returns the edited tests in the format of the portal. */
export function listEdits(entry: ResultEntry, values: Values): ResultWrite[] {
  const fields = listChangedFields(toFormValues(entry), values);
  const isEdited = (row: EntryRow) =>
    PARTS.some((part) => fields.includes(getFieldName(row, part))) ||
    hasNewMeasurement(row, values) ||
    // A withdrawn value may be reported again, for a reason.
    (row.withheld?.kind === Withholding.WITHDRAWN && readField(row, 'reason', values) !== '');
  const readValue = (row: EntryRow, part: Part) => {
    const value = readField(row, part, values);
    return value === '' ? null : value;
  };
  return listTests(entry)
    .filter(isEdited)
    .map((row) => ({
      orderTestId: row.orderTestId,
      result: findDilution(row, values)?.measuredText ?? readValue(row, 'result'),
      comment: readValue(row, 'comment'),
      ...readMeasurement(row, values),
      ...readCorrection(row, values),
    }));
}

function readCorrection(row: EntryRow, values: Values): Partial<ResultWrite> {
  const reason = readField(row, 'reason', values);
  const words = readField(row, 'words', values);
  return reason === '' ? {} : { correction: { reason, words: words === '' ? null : words } };
}

/** Returns the field of an error; the portal identifies it by its index in the request. */
export function findErrorField(wire: string, results: readonly ResultWrite[]): string | null {
  const [, index, part] = /^results\.(\d+)\.(result|comment|dilution)$/.exec(wire) ?? [];
  const test = results[Number(index)];
  return test && part ? nameField(test, findShownPart(part)) : null;
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
