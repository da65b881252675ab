import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { setLabClock } from '../../lib/labClock';
import { buildInsuranceRecord, buildRequisition } from '../../test/requisitions';
import type { ChosenTest } from '../catalog/chosen';
import type { RequisitionValues } from './fields';
import { buildBlankValues } from './form';
import { listSaveQuestions } from './saveQuestions';

const TODAY = '2026-03-27';
const physician = { id: 3, npi: '2123456789', firstName: 'HELEN', lastName: 'CARTWRIGHT' };

let nextId = 1;
function createTest(code: string, name: string, ...children: ChosenTest[]): ChosenTest {
  const test = { id: nextId++, code, name, alternateNames: '', type: 'TEST' };
  return { test, isConfidential: false, children };
}

const glucose = createTest('GLU', 'GLUCOSE');
const sodium = createTest('NA', 'SODIUM');
const metabolic = createTest('BMP', 'BASIC METABOLIC PANEL', glucose, sodium);
const otherMetabolic = createTest('CMP', 'COMPREHENSIVE METABOLIC PANEL', glucose);
const thyroid = createTest('TSH', 'THYROID STIMULATING HORMONE');
const cellCounts = ['WBC', 'RBC', 'HGB', 'HCT', 'MCV'].map((code) => createTest(code, code));
const bloodCount = createTest('CBC', 'COMPLETE BLOOD COUNT', ...cellCounts);
const differential = createTest('CBCD', 'CBC WITH DIFFERENTIAL', ...cellCounts);

const { patient } = buildRequisition();

/** Lists the questions about a complete requisition of today with these changes. */
function listQuestions(
  change: Partial<RequisitionValues>,
  others: Parameters<typeof listSaveQuestions>[1] = [],
): string[] {
  const values = { ...buildBlankValues(patient), physician, collectionDate: TODAY };
  return listSaveQuestions({ ...values, billTo: 'Client', tests: [glucose], ...change }, others);
}

// 01:30 UTC of the next day is still the evening in the lab.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-28T01:30:00Z') });
  setLabClock({ timeZone: 'America/Chicago', now: '2026-03-28T01:30:00Z' });
});
afterEach(() => {
  setLabClock({ timeZone: 'UTC', now: '' });
  vi.useRealTimers();
});

describe('The questions before a save', () => {
  it('do not appear for an ordinary requisition', () => {
    expect(listQuestions({})).toEqual([]);
  });

  it.each([
    ['2026-03-28', 'The collection date 03/28/2026 is in the future.'],
    ['2026-02-24', 'The collection date 02/24/2026 is 31 days ago.'],
  ])('name a collection date far from today in the lab: %s', (collectionDate, question) => {
    expect(listQuestions({ collectionDate })).toEqual([question]);
  });

  it.each([TODAY, '2026-02-25'])('do not mention a collection on %s', (collectionDate) => {
    expect(listQuestions({ collectionDate })).toEqual([]);
  });

  it('name a missing physician', () => {
    expect(listQuestions({ physician: null })).toEqual(['No ordering physician is chosen.']);
  });

  it('name missing insurance only where insurance is billed', () => {
    expect(listQuestions({ billTo: 'Insurance' })).toEqual([
      'Insurance is billed, but no insurance is listed.',
    ]);
    expect(listQuestions({ billTo: 'Patient' })).toEqual([]);
    const insuredPatient = { ...patient, insuranceInformation: [buildInsuranceRecord()] };
    const { billing } = buildBlankValues(insuredPatient);
    expect(listQuestions({ billTo: 'Insurance', billing })).toEqual([]);
  });

  it('name a test that is also in a panel', () => {
    expect(listQuestions({ tests: [glucose, metabolic] })).toEqual(['GLU is also part of BMP.']);
    expect(listQuestions({ tests: [metabolic, glucose] })).toEqual(['GLU is also part of BMP.']);
  });

  it('name what two panels share, shortened', () => {
    expect(listQuestions({ tests: [differential, bloodCount] })).toEqual([
      'CBCD and CBC both contain WBC, RBC, HGB, HCT and 1 more.',
    ]);
    expect(listQuestions({ tests: [sodium, bloodCount] })).toEqual([]);
  });

  it('name other requisitions with the same tests', () => {
    const others = [
      { code: 'R260000009', tests: [thyroid] },
      { code: 'R260000008', tests: [glucose, thyroid] },
    ];
    const question = 'Requisition R260000008 of the same day already orders GLU.';
    expect(listQuestions({}, others)).toEqual([question]);
    expect(listQuestions({ tests: [metabolic] }, others)).toEqual([question]);
    expect(listQuestions({ tests: [sodium] }, others)).toEqual([]);
  });

  it.each([
    ['a member of its panel', [glucose], [metabolic], 'GLU'],
    ['the same panel', [metabolic], [metabolic], 'BMP'],
    ['a panel that shares tests', [bloodCount], [differential], 'WBC, RBC, HGB, HCT and 1 more'],
    ['a test of two panels once', [glucose], [metabolic, otherMetabolic], 'GLU'],
  ])('name another requisition that orders %s', (_case, tests, orderedTests, namedTests) => {
    expect(listQuestions({ tests }, [{ code: 'R260000008', tests: orderedTests }]).at(-1)).toBe(
      `Requisition R260000008 of the same day already orders ${namedTests}.`,
    );
    expect(
      listQuestions({ tests: [thyroid] }, [{ code: 'R260000008', tests: orderedTests }]),
    ).toEqual([]);
  });
});
