import { CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag } from '../../../contract';
import type { EntryRow } from '../api';

const NUMBER = /^([<>]=?)?\s*(-?\d+(?:\.\d+)?)$/;
const NUMERIC_TYPES_MASK = 1 | 2 | 4 | 8 | 16;
const DELTA = 0.5;

export interface Judgement {
  /** What is said beside the field while typing; the portal judges again when it saves. */
  text: string;
  tone: 'normal' | 'abnormal' | 'critical' | 'error';
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
  const match = NUMBER.exec(value);
  if (!match) return { text: 'Not a number', tone: 'error' };
  const number = Number(match[2]);
  const below = (limit: number | null) => limit !== null && number < limit;
  const above = (limit: number | null) => limit !== null && number > limit;
  if (below(row.criticalLow)) return { text: 'Critically low', tone: 'critical' };
  if (above(row.criticalHigh)) return { text: 'Critically high', tone: 'critical' };
  if (below(row.low)) return { text: 'Low', tone: 'abnormal' };
  if (above(row.high)) return { text: 'High', tone: 'abnormal' };
  const before = NUMBER.exec(row.previousResult ?? '');
  if (before) {
    const last = Number(before[2]);
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
