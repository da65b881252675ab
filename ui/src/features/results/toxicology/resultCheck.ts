import { ToxicologyMethod } from '../../../contract';
import type { Tone } from '../../../components/ResultTone';
import { askAboutNumber, describeImpossible } from '../bounds';
import { multiplyNumber, type Multiply } from '../measurement';
import { isInOtherUnit } from '../otherUnit';
import type { ToxicologyEntryRow } from './api';

export interface ReadingCheck {
  /** Shown next to the field while typing; the portal checks again on saving. */
  text: string;
  tone: Tone;
}

const NUMBER = /^([<>]=?)?\s*(\d+(?:\.\d+)?)$/;
const WITH_UNIT = /^((?:[<>]=?)?\s*\d+(?:\.\d+)?)\s*([^0-9\s.,<>].*)$/;
const NEGATIVE_WORDS: readonly string[] = ['NEGATIVE', 'NOT DETECTED', 'NONE DETECTED'];
const POSITIVE_WORDS: readonly string[] = ['POSITIVE', 'DETECTED'];

const fault = (text: string): ReadingCheck => ({ text, tone: 'error' });

/** Describes whether a drug was detected. */
export const describeDetection = (isDetected: boolean): ReadingCheck =>
  isDetected ? { text: 'Detected', tone: 'abnormal' } : { text: 'Not detected', tone: 'normal' };

function parseNumber(text: string): { sign: string; number: number } | null {
  const [match, sign = '', digits = ''] = NUMBER.exec(text) ?? [];
  return match === undefined ? null : { sign, number: Number(digits) };
}

/** Returns whether a number is at or above the cut-off; null if it may be on either side. */
function compareWithCutOff(sign: string, number: number, cutOff: number): boolean | null {
  const isAbove = number >= cutOff;
  if (sign.startsWith('>')) return isAbove ? true : null;
  if (sign === '') return isAbove;
  const mayBeAbove = sign === '<' ? number > cutOff : isAbove;
  return mayBeAbove ? null : false;
}

function checkDetection(value: string, cutOff: string | null): ReadingCheck {
  if (NEGATIVE_WORDS.includes(value)) return describeDetection(false);
  if (POSITIVE_WORDS.includes(value)) return describeDetection(true);
  const number = parseNumber(value);
  if (number === null) return fault('Not a number, NEGATIVE, or POSITIVE');
  if (cutOff === null) return fault('No cut-off: NEGATIVE or POSITIVE');
  const isDetected = compareWithCutOff(number.sign, number.number, Number(cutOff));
  return isDetected === null ? fault('Below or above the cut-off') : describeDetection(isDetected);
}

/** Checks a test of the specimen: outside its limits, or with a word, the specimen is invalid. */
function checkValidity(
  row: ToxicologyEntryRow,
  value: string,
  { low, high }: Pick<ToxicologyEntryRow, 'low' | 'high'>,
): ReadingCheck {
  const number = parseNumber(value);
  if (number === null) {
    if (row.choices.length === 0) return fault('Not a number');
    return NEGATIVE_WORDS.includes(value)
      ? { text: 'Specimen valid', tone: 'normal' }
      : { text: 'Specimen invalid', tone: 'abnormal' };
  }
  const isLow = low !== null && (number.number < Number(low) || number.sign.startsWith('<'));
  if (isLow) return { text: `Below ${low}: specimen invalid`, tone: 'abnormal' };
  const isHigh = high !== null && (number.number > Number(high) || number.sign.startsWith('>'));
  if (isHigh) return { text: `Above ${high}: specimen invalid`, tone: 'abnormal' };
  return { text: 'Specimen valid', tone: 'normal' };
}

const isValidity = ({ method }: ToxicologyEntryRow) => method === ToxicologyMethod.VALIDITY;

/** Checks a saved test of the specimen by the limits of its time; null if it was not judged. */
function checkStored(row: ToxicologyEntryRow, value: string): ReadingCheck | null {
  // A portal of the previous release judges by today's limits.
  if (!('judgedLimits' in row))
    return isInOtherUnit(row, value) ? null : checkValidity(row, value, row);
  return row.judgedLimits && checkValidity(row, value, row.judgedLimits);
}

/** Splits a typed text from its unit; the test's own one may be typed after a number. */
function splitUnit(row: ToxicologyEntryRow, typed: string) {
  const [, number, unit] = WITH_UNIT.exec(typed) ?? [];
  const isOwnUnit = unit !== undefined && unit.toUpperCase() === row.unit?.toUpperCase();
  const value = (isOwnUnit && number !== undefined ? number : typed).toUpperCase();
  return { value, unit, isOwnUnit };
}

/** Multiplies a measured value of a test by its dilution. */
export const multiplyBy =
  (row: ToxicologyEntryRow): Multiply =>
  (measuredText, factor) => {
    const number = parseNumber(splitUnit(row, measuredText).value);
    return number && multiplyNumber(number, factor, row.decimals);
  };

/** Returns the question about an unusual value, or null; the portal rejects impossible ones. */
export function askAboutReading(row: ToxicologyEntryRow, typedText: string): string | null {
  const { value } = splitUnit(row, typedText.trim());
  const number = parseNumber(value);
  if (number === null || isInOtherUnit(row, value)) return null;
  return askAboutNumber(row, value, number);
}

/** Returns what the typed text of a result means by the rules of the portal; null if nothing. */
export function checkReading(row: ToxicologyEntryRow, typedText: string): ReadingCheck | null {
  const typed = typedText.trim();
  if (typed === '') return null;
  // A saved result was judged by the cut-off of its time.
  if (typed === row.result && row.isDetected !== null) return describeDetection(row.isDetected);
  if (typed === row.result && isValidity(row)) return checkStored(row, typed);
  // A cut-off in another unit than the stored value.
  if (isInOtherUnit(row, typed)) return null;
  const { value, unit, isOwnUnit } = splitUnit(row, typed);
  if (row.choices.length > 0) {
    if (!row.choices.includes(value)) return fault('Not one of the choices');
  } else if (unit !== undefined && !isOwnUnit) {
    return fault(row.unit === null ? 'Enter it without a unit' : `Not in ${row.unit}`);
  }
  const number = parseNumber(value);
  const impossible = number && describeImpossible(number, row);
  if (impossible !== null) return fault(impossible);
  if (row.method === null) return null;
  return isValidity(row) ? checkValidity(row, value, row) : checkDetection(value, row.cutOff);
}
