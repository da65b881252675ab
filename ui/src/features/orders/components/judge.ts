import { CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag } from '../../../contract';
import type { EntryRow } from '../api';
import type { Tone } from './ResultTone';

// As the portal reads it: commas only as thousands.
const NUMBER = /^([<>]=?)?\s*(-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)$/;
const NUMERIC_TYPES_MASK = 1 | 2 | 4 | 8 | 16;
const DELTA = 0.5;

export interface Judgement {
  /** What is said beside the field while typing; the portal judges again when it saves. */
  text: string;
  tone: Tone;
}

function numberIn(typed: string): { sign: string; number: number } | null {
  const [match, sign = '', digits = ''] = NUMBER.exec(typed) ?? [];
  return match === undefined ? null : { sign, number: Number(digits.replaceAll(',', '')) };
}

export const isNumeric = (row: EntryRow): boolean => (row.resultType & NUMERIC_TYPES_MASK) !== 0;

/** Range, critical and delta checks of a typed value (DECISIONS, Result Entry). */
export function judge(row: EntryRow, typed: string): Judgement | null {
  const value = typed.trim();
  if (value === '') return null;
  if (!isNumeric(row)) {
    const known =
      row.choices.length === 0 ||
      row.choices.some((choice) => choice.toUpperCase() === value.toUpperCase());
    return known ? null : { text: 'Not one of the choices', tone: 'error' };
  }
  const read = numberIn(value);
  if (!read) return { text: 'Not a number', tone: 'error' };
  const { sign, number } = read;
  // '<40' is just below 40, '>450' just above 450.
  const below = (limit: number | null) =>
    limit !== null && (number < limit || (sign === '<' && number === limit));
  const above = (limit: number | null) =>
    limit !== null && (number > limit || (sign === '>' && number === limit));
  if (below(row.criticalLow)) return { text: 'Critically low', tone: 'critical' };
  if (above(row.criticalHigh)) return { text: 'Critically high', tone: 'critical' };
  if (below(row.low)) return { text: 'Low', tone: 'abnormal' };
  if (above(row.high)) return { text: 'High', tone: 'abnormal' };
  const before = numberIn(row.previousResult ?? '');
  if (before) {
    const last = before.number;
    if (last !== 0 && Math.abs(number - last) / Math.abs(last) > DELTA) {
      return {
        text: `Changed by ${Math.round((100 * (number - last)) / last)} %`,
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

const isAmong = (flags: readonly string[], flag: string) => flags.includes(flag);

/** How the portal judged a saved value. */
export function flagInWords(flag: ResultFlag | null): Judgement | null {
  if (flag === null) return null;
  const text = FLAG_WORDS[flag];
  if (isAmong(CRITICAL_FLAGS, flag)) return { text, tone: 'critical' };
  return { text, tone: isAmong(NOT_ABNORMAL_FLAGS, flag) ? 'normal' : 'abnormal' };
}
