import {
  CRITICAL_FLAGS,
  messages,
  NOT_ABNORMAL_FLAGS,
  ResultFlag,
  ResultType,
} from '../../../contract';
import type { Tone } from '../../../components/ResultTone';
import { askAboutNumber, describeImpossible } from '../bounds';
import { isInOtherUnit } from '../otherUnit';
import type { EntryRow } from './api';
import { computeFlag, isNumeric, parseValue } from './flags';

export { isNumeric } from './flags';

export interface ResultCheck {
  /** Shown next to the field while typing; the portal checks again on saving. */
  text: string;
  tone: Tone;
}

/** Checks a typed value by its type, bounds, and range (DECISIONS, Result Entry). */
export function checkResult(row: EntryRow, typedText: string): ResultCheck | null {
  const value = typedText.trim();
  if (value === '') return null;
  const parsedValue = parseValue(row.resultType, value);
  if (!parsedValue) {
    const isChoice = row.choices.some((choice) => choice.toUpperCase() === value.toUpperCase());
    if (isChoice) return null;
    if (row.calculated !== null && value === messages.RESULT_NOT_CALCULATED) return null;
    if (isNumeric(row)) return { text: 'Not a number', tone: 'error' };
    if (row.resultType === ResultType.TITER) return { text: 'Not a titer', tone: 'error' };
    return row.choices.length === 0 ? null : { text: 'Not one of the choices', tone: 'error' };
  }
  const impossible = describeImpossible(parsedValue, row);
  if (impossible !== null) return { text: impossible, tone: 'error' };
  const check = describeFlag(computeFlag(parsedValue, row));
  if (check) return check.text === 'Normal' ? { text: 'In range', tone: 'normal' } : check;
  if (row.referenceRange === null) return { text: messages.RESULT_NO_RANGE, tone: 'normal' };
  // '<100' may be inside the range or below it.
  return parsedValue.sign === ''
    ? null
    : { text: 'Cannot be compared with the range', tone: 'normal' };
}

/** Returns the question about an implausible value, or null; the portal rejects impossible ones. */
export function askAboutResult(row: EntryRow, typedText: string): string | null {
  const parsedValue = parseValue(row.resultType, typedText);
  if (!parsedValue || isInOtherUnit(row, typedText)) return null;
  return askAboutNumber(row, typedText.trim(), parsedValue);
}

export interface Change {
  /** The change in percent with its sign: '+677 %'. */
  text: string;
  isExceeded: boolean;
}

/**
 * Compares a typed value with the patient's last one; null unless both are exact numbers in the same
 * unit and by the same method.
 */
export function compareWithLast(row: EntryRow, typedText: string): Change | null {
  if (row.previousDifference) return null;
  const [now, last] = [typedText, row.previousResult ?? ''].map((value) =>
    parseValue(row.resultType, value),
  );
  if (!now || !last || now.sign !== '' || last.sign !== '' || last.number === 0) return null;
  const percent = (100 * (now.number - last.number)) / Math.abs(last.number);
  const isRecent = row.deltaDaysMax === null || (row.previousDays ?? 0) <= row.deltaDaysMax;
  return {
    text: `${percent < 0 ? '' : '+'}${Math.round(percent)} %`,
    isExceeded: isRecent && row.deltaPercentMax !== null && Math.abs(percent) > row.deltaPercentMax,
  };
}

const FLAG_NAMES: Readonly<Record<ResultFlag, string>> = {
  [ResultFlag.NORMAL]: 'Normal',
  [ResultFlag.LOW]: 'Low',
  [ResultFlag.HIGH]: 'High',
  [ResultFlag.CRITICAL_LOW]: 'Critically low',
  [ResultFlag.CRITICAL_HIGH]: 'Critically high',
  [ResultFlag.ABNORMAL]: 'Abnormal',
  [ResultFlag.CRITICAL_ABNORMAL]: 'Critically abnormal',
  [ResultFlag.POSITIVE]: 'Positive',
  [ResultFlag.NEGATIVE]: 'Negative',
  [ResultFlag.BELOW_RANGE]: 'Below the measuring range',
  [ResultFlag.ABOVE_RANGE]: 'Above the measuring range',
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
  const text = FLAG_NAMES[flag];
  if (includesFlag(CRITICAL_FLAGS, flag)) return { text, tone: 'critical' };
  return { text, tone: includesFlag(NOT_ABNORMAL_FLAGS, flag) ? 'normal' : 'abnormal' };
}
