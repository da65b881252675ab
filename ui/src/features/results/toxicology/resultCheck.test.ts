import { describe, expect, it } from 'vitest';

import { ResultStatus, type Wire } from '../../../contract';
import { askAboutReading, checkReading, multiplyBy } from './resultCheck';

const drug: Wire<'ToxicologyEntryRow'> = {
  orderTestId: 7,
  sameAs: null,
  parentId: null,
  level: 0,
  code: 'QOXA',
  name: 'OXAZEPAM, URINE',
  isPanel: false,
  method: 'confirmation',
  unit: 'ng/mL',
  cutOff: '50',
  low: null,
  high: null,
  detectionWindow: null,
  resultUnit: null,
  unitNotice: null,
  judgedLimits: null,
  decimals: null,
  possibleLow: 0,
  possibleHigh: 1_000_000,
  plausibleLow: null,
  plausibleHigh: 20_000,
  choices: [],
  result: null,
  measured: null,
  dilution: null,
  firstResult: null,
  isConfirmed: false,
  comment: null,
  reasonCode: null,
  reason: null,
  explanation: null,
  isDetected: null,
  status: ResultStatus.PENDING,
  awaitsCollection: false,
  predatesSpecimen: false,
  released: null,
  releasedAt: null,
  releasedBy: null,
  withheld: null,
  holds: [],
  leftBecause: null,
  enteredBy: null,
};
const validity = {
  ...drug,
  method: 'validity' as const,
  unit: 'mg/dL',
  cutOff: null,
  low: '20',
  high: '400',
};
const check = (row: typeof drug, text: string) => checkReading(row, text)?.text ?? null;

describe('The check of a typed drug', () => {
  // The same cases as TestReading in tests/rules/test_toxicology.py.
  it.each([
    ['49.9', 'Not detected'],
    ['50', 'Detected'],
    ['51', 'Detected'],
    ['<50', 'Not detected'],
    ['<49', 'Not detected'],
    ['<51', 'Below or above the cut-off'],
    ['<=49', 'Not detected'],
    ['<=50', 'Below or above the cut-off'],
    ['>50', 'Detected'],
    ['>=50', 'Detected'],
    ['>49', 'Below or above the cut-off'],
    ['>=49', 'Below or above the cut-off'],
    ['negative', 'Not detected'],
    ['Not Detected', 'Not detected'],
    ['positive', 'Detected'],
    ['DETECTED', 'Detected'],
    ['50 ng/mL', 'Detected'],
    ['49NG/ML', 'Not detected'],
    ['50 mg/dL', 'Not in ng/mL'],
    ['maybe', 'Not a number, NEGATIVE, or POSITIVE'],
    ['-5', 'Not a number, NEGATIVE, or POSITIVE'],
    ['1,000', 'Not a number, NEGATIVE, or POSITIVE'],
    ['  ', null],
  ])('reads %s with a cut-off of 50 as %s', (text, expected) => {
    expect(check(drug, text)).toBe(expected);
  });

  it('needs a word without a cut-off', () => {
    expect(check({ ...drug, cutOff: null }, '5')).toBe('No cut-off: NEGATIVE or POSITIVE');
    expect(check({ ...drug, cutOff: null }, 'NEGATIVE')).toBe('Not detected');
  });

  it('keeps the judgment of a saved value, whose cut-off may have changed since', () => {
    expect(check({ ...drug, result: '40', isDetected: true }, '40')).toBe('Detected');
  });

  it('accepts only the choices of a test that has some', () => {
    const screen = { ...drug, choices: ['NEGATIVE', 'POSITIVE'] };
    expect(check(screen, 'positive')).toBe('Detected');
    expect(check(screen, '60')).toBe('Not one of the choices');
  });
});

describe('The check of a typed specimen test', () => {
  it.each([
    ['20', 'Specimen valid'],
    ['400', 'Specimen valid'],
    ['19.9', 'Below 20: specimen invalid'],
    ['<20', 'Below 20: specimen invalid'],
    ['401', 'Above 400: specimen invalid'],
    ['>400', 'Above 400: specimen invalid'],
    ['NEGATIVE', 'Not a number'],
  ])('says of %s: %s', (text, expected) => {
    expect(check(validity, text)).toBe(expected);
  });

  it('judges a saved value by the limits of its time', () => {
    const saved = { ...validity, low: '2', resultUnit: 'mg/dL', result: '5' };
    const judged = { ...saved, judgedLimits: { low: '20', high: '400' } };
    expect(check(judged, '5')).toBe('Below 20: specimen invalid');
    expect(check(judged, '6')).toBe('Specimen valid');
    // A result from before its test got another unit.
    expect(check({ ...judged, unit: 'mmol/L' }, '5')).toBe('Below 20: specimen invalid');
    // It was not judged.
    expect(check(saved, '5')).toBeNull();
  });

  it('reads words where the lab has choices', () => {
    const oxidants = { ...validity, low: null, high: null, choices: ['NEGATIVE', 'POSITIVE'] };
    expect(check(oxidants, 'NEGATIVE')).toBe('Specimen valid');
    expect(check(oxidants, 'POSITIVE')).toBe('Specimen invalid');
  });
});

describe('The bounds of a typed drug test', () => {
  const acidity = { ...validity, unit: null, possibleHigh: 14, plausibleLow: 3, plausibleHigh: 11 };

  it.each([
    ['75', 'Over 14: impossible', null],
    ['14', 'Specimen valid', 'Over 11'],
    ['11', 'Specimen valid', null],
    ['2.9', 'Specimen valid', 'Under 3'],
  ])('say of %s: %s, and ask: %s', (text, checked, bound) => {
    const row = { ...acidity, low: null, high: null };
    expect(check(row, text)).toBe(checked);
    const question = askAboutReading(row, text);
    if (bound === null) expect(question).toBeNull();
    else expect(question).toContain(`${text} is ${bound.toLowerCase()}`);
  });

  it('count for drugs, in the unit of the test', () => {
    const row = { ...drug, plausibleHigh: 500, possibleHigh: 9000 };
    expect(check(row, '9001 ng/mL')).toBe('Over 9000: impossible');
    expect(askAboutReading(row, '501 ng/mL')).toContain('501 is over 500');
    expect(askAboutReading(row, 'POSITIVE')).toBeNull();
  });

  it('do not ask about a saved result from before the unit changed', () => {
    const row = { ...drug, unit: 'mg/L', resultUnit: 'ng/mL', result: '30000' };
    expect(askAboutReading(row, '30000')).toBeNull();
    expect(askAboutReading(row, '30001')).not.toBeNull();
  });
});

describe('A dilution', () => {
  it.each([
    ['9.5', 10, null, '95'],
    ['>1.1 NG/ML', 3, null, '>3.3'],
    ['2.5', 3, 0, '8'],
  ])('multiplies %s by %s', (text, factor, decimals, product) => {
    expect(multiplyBy({ ...drug, decimals })(text, factor)).toBe(product);
  });

  it('leaves words', () => {
    expect(multiplyBy(drug)('NEGATIVE', 10)).toBeNull();
  });
});
