import { screen } from '@testing-library/react';

import { ResultStatus, Role } from '../contract';
import type { EntryRow, ResultEntry } from '../features/results/clinical/api';
import ResultEntryScreen from '../features/results/screens/ResultEntryScreen';
import { enteredOrder } from './orders';
import type { Answers } from './portal';
import { buildProfile, renderPortal } from './render';

export const RESULT_ENTRY_PATH = '/api/v2/orders/12/result-entry';

export const platelets: EntryRow = {
  orderTestId: 1,
  sameAs: null,
  parentId: null,
  level: 0,
  code: 'PLT',
  name: 'PLATELETS',
  unit: '10*3/uL',
  method: null,
  decimals: 0,
  referenceRange: '150 - 400',
  resultType: 1,
  choices: [],
  normalChoices: [],
  criticalChoices: [],
  isPanel: false,
  awaitsCollection: false,
  predatesSpecimen: false,
  result: null,
  measured: null,
  dilution: null,
  firstResult: null,
  calculated: null,
  comment: null,
  commentNotice: null,
  resultUnit: '10*3/uL',
  unitNotice: null,
  flag: null,
  status: ResultStatus.PENDING,
  isCorrection: false,
  isConfirmed: false,
  isDeltaExceeded: false,
  reason: null,
  reasonWords: null,
  waitsBecause: null,
  leftBecause: null,
  addedBecause: null,
  isReasonGone: false,
  releasedResult: null,
  enteredBy: null,
  verifiedBy: null,
  releasedBy: null,
  releasedAt: null,
  withheld: null,
  holds: [],
  previousResult: null,
  previousDate: null,
  previousDays: null,
  previousDifference: null,
  low: 150,
  high: 400,
  criticalLow: 20,
  criticalHigh: 1000,
  possibleLow: 0,
  possibleHigh: 10_000,
  plausibleLow: 5,
  plausibleHigh: 2000,
  deltaPercentMax: 60,
  deltaDaysMax: 30,
};
const glucose: EntryRow = {
  ...platelets,
  orderTestId: 2,
  code: 'GLU',
  name: 'GLUCOSE',
  low: 70,
  high: 99,
  criticalLow: 40,
  criticalHigh: 450,
};
const covid: EntryRow = {
  ...platelets,
  orderTestId: 3,
  code: 'COVID',
  name: 'SARS-COV-2 RNA',
  resultType: 32,
  choices: ['NOT DETECTED', 'DETECTED'],
};
export const entered = { status: ResultStatus.UNRELEASED, enteredBy: 'Una User' };
export const released = { status: ResultStatus.FINAL, enteredBy: 'Una User' };

export const buildResultEntry = (rows: Partial<EntryRow>[] = [], version = 3): ResultEntry => ({
  ...enteredOrder,
  version,
  verificationRequired: false,
  autoverified: [],
  rows: [platelets, glucose, covid].map((row, index) => ({ ...row, ...rows[index] })),
});

export async function renderEntry(answers: Answers) {
  const view = await renderPortal(<ResultEntryScreen />, {
    user: buildProfile(Role.LABORATORY),
    parameters: { id: '12' },
    answers: {
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry(),
      ...answers,
    },
  });
  await findResult('PLATELETS');
  const listSaves = () => view.requests.filter(({ method }) => method === 'PUT');
  return { ...view, listSaves };
}

export const findResult = (name: string) => screen.findByLabelText(`Result of ${name}`);
export const getButton = (name: string | RegExp) => screen.getByRole('button', { name });
export const getRow = (name: string) => screen.getByRole('row', { name: new RegExp(name) });
