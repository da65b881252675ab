import { ResultFlag, ResultType } from '../../../contract';
import { multiplyNumber } from '../measurement';
import type { EntryRow } from './api';

// The portal's number format: commas only separate thousands.
const NUMBER = /^([<>]=?)?\s*(-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)$/;
const TITER = /^([<>]=?)?\s*1\s*:\s*([1-9]\d{0,8})$/;
const WITHOUT_HIGH_LIMIT: readonly number[] = [
  ResultType.GREATER_EQUAL_VALUE,
  ResultType.GREATER_THAN_VALUE,
];
const WITHOUT_LOW_LIMIT: readonly number[] = [
  ResultType.LESS_EQUAL_VALUE,
  ResultType.LESS_THAN_VALUE,
];
const NUMERIC: readonly number[] = [
  ResultType.VALUE_VALUE,
  ...WITHOUT_HIGH_LIMIT,
  ...WITHOUT_LOW_LIMIT,
];
const MEASURED: readonly number[] = [
  ...NUMERIC,
  ResultType.SPECIFIC_CUT_OFF,
  ResultType.OPEN_RESULT_WITH_UNIT,
];

/** A parsed value: its comparison sign, or '', and its number. */
export interface ParsedValue {
  sign: string;
  number: number;
}

/** Whether a test only accepts numbers. */
export const isNumeric = (row: Pick<EntryRow, 'resultType'>): boolean =>
  NUMERIC.includes(row.resultType);

/** Reads a value by the type of its test; null for text. */
export function parseValue(resultType: number, typedText: string): ParsedValue | null {
  const pattern = resultType === ResultType.TITER ? TITER : NUMBER;
  if (resultType !== ResultType.TITER && !MEASURED.includes(resultType)) return null;
  const [match, sign = '', digits = ''] = pattern.exec(typedText.trim()) ?? [];
  return match === undefined ? null : { sign, number: Number(digits.replaceAll(',', '')) };
}

/**
 * Multiplies a measured value by its dilution; null for text and for titers, which the portal does
 * not multiply either.
 */
export function multiplyValue(row: EntryRow, measuredText: string, factor: number): string | null {
  const measuredValue =
    row.resultType === ResultType.TITER ? null : parseValue(row.resultType, measuredText);
  if (measuredValue === null) return null;
  return multiplyNumber(measuredValue, factor, row.decimals);
}

const isPresent = (limit: number | null): limit is number => limit !== null;

/**
 * Lists values that represent everything a number can mean: the number itself if it has no sign,
 * otherwise each limit in its range, and one value of each interval between limits.
 */
function listMeanings({ sign, number }: ParsedValue, row: EntryRow): number[] {
  if (sign === '') return [number];
  const isBelow = sign.startsWith('<');
  const first = isBelow ? row.possibleLow : number;
  const last = isBelow ? number : row.possibleHigh;
  if (first !== null && last !== null && first >= last)
    return first === last && sign.endsWith('=') ? [number] : [];
  const inner = [row.low, row.high, row.criticalLow, row.criticalHigh]
    .filter(isPresent)
    .filter((limit) => (first === null || first < limit) && (last === null || limit < last))
    .sort((a, b) => a - b);
  const points = [first, ...inner, last].filter(isPresent);
  const midpoints = points.slice(1).map((point, index) => (point + (points[index] ?? point)) / 2);
  return [
    ...inner,
    ...midpoints,
    ...(sign.endsWith('=') ? [number] : []),
    ...(first === null ? [(points[0] ?? 0) - 1] : []),
    ...(last === null ? [(points.at(-1) ?? 0) + 1] : []),
  ];
}

function flagByCutOff(number: number, row: EntryRow): ResultFlag | null {
  if (row.high === null) return null;
  if (row.criticalHigh !== null && number > row.criticalHigh) return ResultFlag.CRITICAL_ABNORMAL;
  if (number >= row.high) return ResultFlag.POSITIVE;
  return row.low !== null && number >= row.low ? ResultFlag.ABNORMAL : ResultFlag.NEGATIVE;
}

function flagNumber(number: number, row: EntryRow): ResultFlag | null {
  const { resultType } = row;
  if (resultType === ResultType.SPECIFIC_CUT_OFF) return flagByCutOff(number, row);
  if (row.criticalLow !== null && number < row.criticalLow) return ResultFlag.CRITICAL_LOW;
  if (row.criticalHigh !== null && number > row.criticalHigh) return ResultFlag.CRITICAL_HIGH;
  const low = WITHOUT_LOW_LIMIT.includes(resultType) ? null : row.low;
  const high = WITHOUT_HIGH_LIMIT.includes(resultType) ? null : row.high;
  if (low === null && high === null) return null;
  const isAtAbnormalLow = resultType === ResultType.GREATER_THAN_VALUE && number === low;
  const isAtAbnormalHigh = resultType === ResultType.LESS_THAN_VALUE && number === high;
  if (low !== null && (number < low || isAtAbnormalLow)) return ResultFlag.LOW;
  if (high !== null && (number > high || isAtAbnormalHigh)) return ResultFlag.HIGH;
  return ResultFlag.NORMAL;
}

const MILDEST_FIRST: readonly (readonly ResultFlag[])[] = [
  [ResultFlag.LOW, ResultFlag.CRITICAL_LOW],
  [ResultFlag.HIGH, ResultFlag.CRITICAL_HIGH],
  [ResultFlag.ABNORMAL, ResultFlag.POSITIVE, ResultFlag.CRITICAL_ABNORMAL],
];

/**
 * Returns the flag that the portal will give a number. A number with a comparison sign can mean
 * several values, and gets the mildest flag that is true of all of them. Returns null where no flag
 * is true of all, because the number may be normal or abnormal (DECISIONS, Results).
 */
export function computeFlag(typedValue: ParsedValue, row: EntryRow): ResultFlag | null {
  const flags = [
    ...new Set(listMeanings(typedValue, row).map((number) => flagNumber(number, row))),
  ];
  const [only = null] = flags;
  if (flags.length < 2) return only;
  const group = MILDEST_FIRST.find((flagGroup) =>
    flags.every((flag) => flag !== null && flagGroup.includes(flag)),
  );
  return group?.find((flag) => flags.includes(flag)) ?? null;
}
