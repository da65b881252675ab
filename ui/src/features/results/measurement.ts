import { nameField } from './fieldNames';

/** What is known about how the result of a test was measured. */
export interface MeasuredRow {
  orderTestId: number;
  result: string | null;
  measured: string | null;
  dilution: number | null;
  firstResult: string | null;
}

/** The values of an order's input fields, by field name: `result-17`. */
type Values = Record<string, string>;

/** A measured value and the factor of its dilution. */
export interface Dilution {
  measuredText: string;
  factor: number;
}

/** Multiplies a measured value; null for text. */
export type Multiply = (measuredText: string, factor: number) => string | null;

const readField = (row: MeasuredRow, part: string, values: Values): string =>
  values[nameField(row, part)]?.trim() ?? '';

/** Returns the part of a test whose field shows an error: the dilution is typed in a dialog. */
export const findShownPart = (part: string): string => (part === 'dilution' ? 'result' : part);

/** Multiplies a number; `decimals` are those of its test. */
export function multiplyNumber(
  { sign, number }: { sign: string; number: number },
  factor: number,
  decimals: number | null,
): string {
  const product = number * factor;
  // Rounded, to remove the digits that binary fractions add.
  const text = decimals === null ? `${Number(product.toPrecision(12))}` : product.toFixed(decimals);
  return `${sign}${text}`;
}

/**
 * Returns the dilution of the value in a test's field. A factor that was just chosen multiplies
 * what is typed, or what was measured before; a saved result keeps its dilution until it is typed
 * again.
 */
export function findDilution(row: MeasuredRow, values: Values): Dilution | null {
  const result = readField(row, 'result', values);
  const dilution = readField(row, 'dilution', values);
  const savedMeasurement = result === row.result ? row.measured : null;
  const factor = dilution === '' ? savedMeasurement && row.dilution : Number(dilution);
  return result === '' || !factor ? null : { measuredText: savedMeasurement ?? result, factor };
}

/** Returns the value that a save would store, as far as the browser can tell. */
export function computeReported(row: MeasuredRow, values: Values, multiply: Multiply): string {
  const dilution = findDilution(row, values);
  const result = readField(row, 'result', values);
  if (dilution === null || readField(row, 'dilution', values) === '') return result;
  return multiply(dilution.measuredText, dilution.factor) ?? result;
}

/** Whether a test has a repeat or a dilution to save. */
export const hasNewMeasurement = (row: MeasuredRow, values: Values): boolean =>
  readField(row, 'repeat', values) !== '' ||
  (readField(row, 'dilution', values) !== '' && readField(row, 'result', values) !== '');

/** How a result was diluted. Before a save, also its value after the save. */
function describeDilution(row: MeasuredRow, values: Values, multiply: Multiply): string | null {
  const dilution = findDilution(row, values);
  const chosenDilution = readField(row, 'dilution', values);
  if (dilution === null) return chosenDilution === '' ? null : `at 1:${chosenDilution}`;
  const text = `${dilution.measuredText} at 1:${dilution.factor}`;
  return chosenDilution === '' ? text : `${text} = ${computeReported(row, values, multiply)}`;
}

/** Says how a result was diluted, and what it was before a repeat. */
export function describeMeasurement(
  row: MeasuredRow,
  values: Values,
  multiply: Multiply,
): string[] {
  // While a repeat is typed, its field no longer shows the first result.
  const first = row.firstResult ?? (readField(row, 'repeat', values) === '' ? null : row.result);
  return [describeDilution(row, values, multiply), first === null ? null : `first ${first}`].filter(
    (text) => text !== null,
  );
}

/** The parts of a write that say how a value was measured, and that it is right. */
export interface MeasurementWrite {
  dilution?: number;
  isRepeat?: true;
  isConfirmed?: true;
}

/** Returns the parts of a write beside the measured value. */
export function readMeasurement(row: MeasuredRow, values: Values): MeasurementWrite {
  const dilution = findDilution(row, values);
  return {
    ...(dilution !== null && { dilution: dilution.factor }),
    ...(readField(row, 'confirmed', values) !== '' && { isConfirmed: true }),
    ...(readField(row, 'repeat', values) !== '' && { isRepeat: true }),
  };
}
