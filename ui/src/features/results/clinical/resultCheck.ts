import { CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag } from '../../../contract';
import type { EntryRow } from './api';
import type { Tone } from '../components/ResultTone';

// The portal's number format: commas only separate thousands.
const NUMBER = /^([<>]=?)?\s*(-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)$/;
const NUMERIC_TYPES_MASK = 1 | 2 | 4 | 8 | 16;
const DELTA = 0.5;

export interface ResultCheck {
  /** Shown next to the field while typing; the portal checks again on saving. */
  text: string;
  tone: Tone;
}

function parseNumber(typed: string): { sign: string; number: number } | null {
  const [match, sign = '', digits = ''] = NUMBER.exec(typed) ?? [];
  return match === undefined ? null : { sign, number: Number(digits.replaceAll(',', '')) };
}

export const isNumeric = (row: EntryRow): boolean => (row.resultType & NUMERIC_TYPES_MASK) !== 0;

/** Checks a typed value by range, critical limits and last value (DECISIONS, Result Entry). */
export function checkResult(row: EntryRow, typed: string): ResultCheck | null {
  const value = typed.trim();
  if (value === '') return null;
  if (!isNumeric(row)) {
    const isChoice =
      row.choices.length === 0 ||
      row.choices.some((choice) => choice.toUpperCase() === value.toUpperCase());
    return isChoice ? null : { text: 'Not one of the choices', tone: 'error' };
  }
  const parsed = parseNumber(value);
  if (!parsed) return { text: 'Not a number', tone: 'error' };
  const { sign, number } = parsed;
  // '<40' counts as just below 40, '>450' as just above 450.
  const isBelow = (limit: number | null) =>
    limit !== null && (number < limit || (sign === '<' && number === limit));
  const isAbove = (limit: number | null) =>
    limit !== null && (number > limit || (sign === '>' && number === limit));
  if (isBelow(row.criticalLow)) return { text: 'Critically low', tone: 'critical' };
  if (isAbove(row.criticalHigh)) return { text: 'Critically high', tone: 'critical' };
  if (isBelow(row.low)) return { text: 'Low', tone: 'abnormal' };
  if (isAbove(row.high)) return { text: 'High', tone: 'abnormal' };
  const previous = parseNumber(row.previousResult ?? '');
  if (previous) {
    const previousNumber = previous.number;
    if (
      previousNumber !== 0 &&
      Math.abs(number - previousNumber) / Math.abs(previousNumber) > DELTA
    ) {
      return {
        text: `Changed by ${Math.round((100 * (number - previousNumber)) / previousNumber)} %`,
        tone: 'abnormal',
      };
    }
  }
  return { text: 'In range', tone: 'normal' };
}

const FLAG_WORDS: Readonly<Record<ResultFlag, string>> = {
  [ResultFlag.NORMAL]: 'Normal',
  [ResultFlag.LOW]: 'Low',
  [ResultFlag.HIGH]: 'High',
  [ResultFlag.CRITICAL_LOW]: 'Critically low',
  [ResultFlag.CRITICAL_HIGH]: 'Critically high',
  [ResultFlag.ABNORMAL]: 'Abnormal',
  [ResultFlag.CRITICAL_ABNORMAL]: 'Critically abnormal',
  [ResultFlag.POSITIVE]: 'Positive',
  [ResultFlag.NEGATIVE]: 'Negative',
  [ResultFlag.BELOW_RANGE]: 'Below range',
  [ResultFlag.ABOVE_RANGE]: 'Above range',
  [ResultFlag.SUSCEPTIBLE]: 'Susceptible',
  [ResultFlag.INTERMEDIATE]: 'Intermediate',
  [ResultFlag.RESISTANT]: 'Resistant',
  [ResultFlag.SUSCEPTIBLE_DOSE_DEPENDENT]: 'Susceptible, dose dependent',
  [ResultFlag.NOT_SUSCEPTIBLE]: 'Not susceptible',
};

const includesFlag = (flags: readonly string[], flag: string) => flags.includes(flag);

/** Describes the flag that the portal gave a saved value. */
export function describeFlag(flag: ResultFlag | null): ResultCheck | null {
  if (flag === null) return null;
  const text = FLAG_WORDS[flag];
  if (includesFlag(CRITICAL_FLAGS, flag)) return { text, tone: 'critical' };
  return { text, tone: includesFlag(NOT_ABNORMAL_FLAGS, flag) ? 'normal' : 'abnormal' };
}
