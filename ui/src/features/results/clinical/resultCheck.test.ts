import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { platelets } from '../../../test/resultEntry';
import type { EntryRow } from './api';
import { askAboutResult, checkResult, compareWithLast } from './resultCheck';

const glucose: EntryRow = {
  ...platelets,
  name: 'GLUCOSE',
  unit: 'mg/dL',
  low: 70,
  high: 99,
  criticalLow: 40,
  criticalHigh: 450,
  possibleLow: 0,
  possibleHigh: 3000,
  plausibleLow: 20,
  plausibleHigh: 800,
};

describe('Checking a typed result', () => {
  it('has nothing to say about a result that could not be calculated', () => {
    const calculatedRow = { ...glucose, calculated: 'total - direct' };
    expect(checkResult(calculatedRow, messages.RESULT_NOT_CALCULATED)).toBeNull();
    expect(checkResult(glucose, messages.RESULT_NOT_CALCULATED)?.tone).toBe('error');
  });

  it.each([
    ['85', 'In range', 'normal'],
    ['69', 'Low', 'abnormal'],
    ['<40', 'Critically low', 'critical'],
    ['<70', 'Low', 'abnormal'],
    ['<100', 'Cannot be compared with the range', 'normal'],
    ['120', 'High', 'abnormal'],
    ['>99', 'High', 'abnormal'],
    ['>451', 'Critically high', 'critical'],
    ['>450', 'Critically high', 'critical'],
    ['<=40', 'Low', 'abnormal'],
    ['1,200', 'Critically high', 'critical'],
    ['3001', 'Over 3000: impossible', 'error'],
    ['>3000', 'Over 3000: impossible', 'error'],
    ['>=3000', 'Critically high', 'critical'],
    ['<0', 'Under 0: impossible', 'error'],
    ['-1', 'Under 0: impossible', 'error'],
    ['abc', 'Not a number', 'error'],
    ['44,5', 'Not a number', 'error'],
    ['1.2.3', 'Not a number', 'error'],
  ])('%s is %s', (typedText, text, tone) => {
    expect(checkResult(glucose, typedText)).toEqual({ text, tone });
  });

  it.each([
    [{ resultType: 4, high: 5, low: null, criticalLow: null }, '<0.5', 'In range'],
    [{ resultType: 8, low: 60 }, '60', 'Low'],
    [{ resultType: 16, high: 200, low: null, criticalLow: null }, '200', 'High'],
    [{ resultType: 1024, low: 0.9, high: 1.1, criticalHigh: null }, '1.0', 'Abnormal'],
    [{ resultType: 1024, low: null, high: 1.1, criticalHigh: null }, '<1.0', 'Negative'],
    [{ resultType: 2048, low: null, high: 40, criticalLow: null }, '1:80', 'High'],
    [{ resultType: 2048, low: null, high: 40, criticalLow: null }, '80', 'Not a titer'],
  ])('follows the type of the test: %o', (test, typedText, text) => {
    expect(checkResult({ ...glucose, ...test }, typedText)?.text).toBe(text);
  });

  it('says that a number is not judged without a range', () => {
    const test = { ...glucose, low: null, high: null, referenceRange: null };
    expect(checkResult(test, '120')).toEqual({ text: 'No range', tone: 'normal' });
    expect(checkResult(test, '500')?.text).toBe('Critically high');
  });

  it('returns nothing for an empty field', () => {
    expect(checkResult(glucose, '  ')).toBeNull();
  });

  it('accepts the choices in upper and lower case', () => {
    const choiceRow = { ...glucose, resultType: 32, choices: ['DETECTED', 'NOT DETECTED'] };
    expect(checkResult(choiceRow, 'not detected')).toBeNull();
    expect(checkResult(choiceRow, 'maybe')?.tone).toBe('error');
  });
});

describe('A question about a typed result', () => {
  it.each([
    ['801', 'GLUCOSE: 801 is over 800. Is it right?'],
    ['19', 'GLUCOSE: 19 is under 20. Is it right?'],
    ['800', null],
    ['>800', 'GLUCOSE: >800 is over 800. Is it right?'],
    ['>=800', null],
    ['abc', null],
  ])('%s: %s', (typedText, question) => {
    expect(askAboutResult(glucose, typedText)).toBe(question);
  });

  it('is not asked about an impossible value, which the portal rejects', () => {
    expect(askAboutResult(glucose, '9000')).toBeNull();
  });
});

describe('The change since the last value', () => {
  const row = { ...glucose, previousResult: '180', previousDays: 10 };

  it.each([
    ['80', '-56 %', false],
    ['60', '-67 %', true],
    ['300', '+67 %', true],
  ])('%s is %s', (typedText, text, isExceeded) => {
    expect(compareWithLast(row, typedText)).toEqual({ text, isExceeded });
  });

  it('is not computed from another unit or method', () => {
    expect(compareWithLast({ ...row, previousDifference: 'in mmol/L' }, '300')).toBeNull();
  });

  it('counts within the days of the test only', () => {
    expect(compareWithLast({ ...row, previousDays: 31 }, '300')?.isExceeded).toBe(false);
  });

  it.each([['<80'], [''], ['abc']])('is unknown for %s', (typedText) => {
    expect(compareWithLast(row, typedText)).toBeNull();
  });
});
