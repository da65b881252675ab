import { ResultStatus, Withholding } from '../../../contract';
import type { ToxicologyEntryOrder, ToxicologyEntryRow, ToxicologyResultWrite } from './api';

/** The text of each field of the form, by name. */
export type Values = Record<string, string>;

export const PARTS = ['result', 'comment', 'reasonCode', 'explanation'] as const;
export type Part = (typeof PARTS)[number];

export const getFieldName = ({ orderTestId }: ToxicologyEntryRow, part: Part) =>
  `${part}-${orderTestId}`;

/** The tests of an order without their panels. */
export const listTests = (order: ToxicologyEntryOrder) =>
  order.rows.filter(({ isPanel }) => !isPanel);

export const toFormValues = (order: ToxicologyEntryOrder): Values =>
  Object.fromEntries(
    listTests(order).flatMap((row) =>
      PARTS.map((part) => [getFieldName(row, part), row[part] ?? '']),
    ),
  );

export const trimValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));

/** Returns the tests whose typed values differ from the order as last read or saved. */
export function listEdits(
  order: ToxicologyEntryOrder,
  typedValues: Values,
): ToxicologyResultWrite[] {
  const [before, values] = [toFormValues(order), trimValues(typedValues)];
  return listTests(order)
    .filter((row) =>
      PARTS.some((part) => values[getFieldName(row, part)] !== before[getFieldName(row, part)]),
    )
    .map((row) => {
      const read = (part: Part) => {
        const value = values[getFieldName(row, part)] ?? '';
        return value === '' ? null : value;
      };
      return {
        orderTestId: row.orderTestId,
        result: read('result'),
        comment: read('comment'),
        reasonCode: read('reasonCode'),
        explanation: read('explanation'),
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
  return edit === undefined || part === undefined ? null : `${part}-${edit.orderTestId}`;
}

/** Whether a result was released; a withheld value is empty for people outside the lab. */
export const hasRelease = (row: ToxicologyEntryRow): boolean =>
  row.released !== null || row.withheld !== null;

/**
 * Whether what is typed would correct a released result; a changed comment does, too. A withdrawn
 * result can also be reported again as it is, with a reason.
 */
export const isCorrection = (row: ToxicologyEntryRow, values: Values): boolean =>
  hasRelease(row) &&
  (row.status === ResultStatus.UNRELEASED ||
    row.withheld?.kind === Withholding.WITHDRAWN ||
    (['result', 'comment'] as const).some(
      (part) => (values[getFieldName(row, part)] ?? '').trim() !== (row[part] ?? ''),
    ));
