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
