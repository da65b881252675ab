import { ResultStatus, Withholding } from '../../../contract';
import { nameField } from '../fieldNames';
import {
  computeReported as computeReportedValue,
  findDilution,
  findShownPart,
  hasNewMeasurement,
  readMeasurement,
} from '../measurement';
import { hasRelease } from '../released';
import type { ToxicologyEntryOrder, ToxicologyEntryRow, ToxicologyResultWrite } from './api';
import { multiplyBy } from './resultCheck';

/** The text of each field of the form, by name. */
export type Values = Record<string, string>;

export const PARTS = ['result', 'comment', 'reasonCode', 'explanation'] as const;
export type Part = (typeof PARTS)[number];

/** Further values of an edit; each is empty until the user chooses it. */
const NOTE_PARTS = ['confirmed', 'dilution', 'repeat'] as const;
type NotePart = (typeof NOTE_PARTS)[number];

export const getFieldName: (test: { orderTestId: number }, part: Part | NotePart) => string =
  nameField;

/**
 * Whether a test of several panels is entered in another row. A portal of the previous release does
 * not say so; then each row has fields.
 */
export const isEnteredAbove = ({ sameAs, status }: ToxicologyEntryRow): boolean =>
  typeof sameAs === 'number' && status !== ResultStatus.CANCELED;

/** The tests to enter, without panels: a test that two panels contain is entered once. */
export const listTests = (order: ToxicologyEntryOrder) =>
  order.rows.filter((row) => !row.isPanel && !isEnteredAbove(row));

export const toFormValues = (order: ToxicologyEntryOrder): Values =>
  Object.fromEntries(
    listTests(order).flatMap((row) => [
      ...PARTS.map((part) => [getFieldName(row, part), row[part] ?? ''] as const),
      ...NOTE_PARTS.map((part) => [getFieldName(row, part), ''] as const),
    ]),
  );

export const trimValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));

const readField = (row: ToxicologyEntryRow, part: Part, values: Values): string =>
  values[getFieldName(row, part)]?.trim() ?? '';

/** Returns the value that a save would store, as far as the browser can tell. */
export const computeReported = (row: ToxicologyEntryRow, values: Values): string =>
  computeReportedValue(row, values, multiplyBy(row));

/** Whether a test has something to save. A reason alone does not correct a released result. */
function isEdited(row: ToxicologyEntryRow, values: Values): boolean {
  const isChanged = (part: Part) => readField(row, part, values) !== (row[part] ?? '');
  if (isChanged('result') || isChanged('comment') || hasNewMeasurement(row, values)) return true;
  const hasNewReason = isChanged('reasonCode') || isChanged('explanation');
  // A withdrawn value may be reported again, for a reason.
  const isWithdrawn = row.withheld?.kind === Withholding.WITHDRAWN;
  return hasNewReason && (isWithdrawn || row.status === ResultStatus.UNRELEASED);
}

/** Returns the tests whose typed values differ from the order as last read or saved. */
export function listEdits(order: ToxicologyEntryOrder, values: Values): ToxicologyResultWrite[] {
  return listTests(order)
    .filter((row) => isEdited(row, values))
    .map((row) => {
      const read = (part: Part) => readField(row, part, values) || null;
      return {
        orderTestId: row.orderTestId,
        result: findDilution(row, values)?.measuredText ?? read('result'),
        comment: read('comment'),
        reasonCode: read('reasonCode'),
        explanation: read('explanation'),
        ...readMeasurement(row, values),
      };
    });
}

/** Returns the form field of an error such as `results.1.result`. */
export function findErrorField(
  wire: string,
  edits: readonly ToxicologyResultWrite[],
): string | null {
  const [, index, part] = wire.split('.');
  const edit = edits[Number(index)];
  return edit === undefined || part === undefined ? null : nameField(edit, findShownPart(part));
}

/** Whether a released result may be typed again: its correction has a reason. */
export const isUnlocked = (row: ToxicologyEntryRow, values: Values): boolean =>
  !hasRelease(row) ||
  row.status === ResultStatus.UNRELEASED ||
  readField(row, 'reasonCode', values) !== '';

/** Whether a released result is being corrected, and its correction is not saved yet. */
export const isCorrecting = (row: ToxicologyEntryRow, values: Values): boolean =>
  hasRelease(row) && row.status !== ResultStatus.UNRELEASED && isUnlocked(row, values);
