import { describe, expect, it } from 'vitest';

import type { EntryRow } from './api';
import { checkResult } from './resultCheck';

const glucose: EntryRow = {
  orderTestId: 1,
  parentId: null,
  level: 0,
  code: 'GLU',
  name: 'GLUCOSE',
  unit: 'mg/dL',
  referenceRange: '70 - 99',
  resultType: 1,
  choices: [],
  isPanel: false,
  result: null,
  comment: null,
  flag: null,
  status: 1,
  isCorrection: false,
  enteredBy: null,
  previousResult: null,
  previousDate: null,
  low: 70,
  high: 99,
  criticalLow: 40,
  criticalHigh: 450,
};

describe('Checking a typed result', () => {
  it.each([
    ['85', 'In range', 'normal'],
    ['69', 'Low', 'abnormal'],
    ['<39', 'Critically low', 'critical'],
    ['120', 'High', 'abnormal'],
    ['>451', 'Critically high', 'critical'],
    ['<40', 'Critically low', 'critical'],
    ['>450', 'Critically high', 'critical'],
    ['<=40', 'Low', 'abnormal'],
    ['1,200', 'Critically high', 'critical'],
    ['abc', 'Not a number', 'error'],
    ['44,5', 'Not a number', 'error'],
    ['1.2.3', 'Not a number', 'error'],
  ])('%s is %s', (typed, text, tone) => {
    expect(checkResult(glucose, typed)).toEqual({ text, tone });
  });

  it('returns nothing for an empty field', () => {
    expect(checkResult(glucose, '  ')).toBeNull();
  });

  it('reports a large change from the previous result', () => {
    expect(checkResult({ ...glucose, previousResult: '180' }, '80')).toEqual({
      text: 'Changed by -56 %',
      tone: 'abnormal',
    });
  });

  it('accepts the choices in any case', () => {
    const choiceRow = { ...glucose, resultType: 32, choices: ['DETECTED', 'NOT DETECTED'] };
    expect(checkResult(choiceRow, 'not detected')).toBeNull();
    expect(checkResult(choiceRow, 'maybe')?.tone).toBe('error');
  });
});
