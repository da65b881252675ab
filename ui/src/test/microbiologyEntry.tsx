import { screen } from '@testing-library/react';

import { ResultStatus, Role } from '../contract';
import type {
  CultureCheck,
  CultureEntryTest,
  MicrobiologyEntryOrder,
  MicrobiologyLists,
} from '../features/results/microbiology/api';
import { MicrobiologyEntry } from '../features/results/microbiology/MicrobiologyEntry';
import { enteredOrder } from './orders';
import type { Answers } from './portal';
import { buildProfile, renderPortal } from './render';

export const CULTURE_ENTRY_PATH = '/api/v2/orders/12/microbiology-entry';
const buildTerm = (code: string, name: string) => ({ code, name, words: null });

const lists: MicrobiologyLists = {
  breakpointEdition: 'Demo 2026',
  sources: [buildTerm('BLOOD', 'Blood'), buildTerm('URINE_CC', 'Urine, clean catch')],
  sites: [buildTerm('LARM', 'Left arm')],
  quantities: [buildTerm('FEW', 'Few'), buildTerm('Q5', '> 100,000 CFU/mL')],
  findings: [buildTerm('NG', 'No growth'), buildTerm('GRWBC', 'Leukocytes')],
  marks: [buildTerm('ESBL', 'ESBL')],
  organisms: [
    { code: 'ECOLI', name: 'Escherichia coli', panel: ['AMP', 'CIP'] },
    { code: 'NFLOR', name: 'Normal flora', panel: [] },
  ],
  antibiotics: [
    { code: 'AMP', name: 'Ampicillin', className: 'Penicillins' },
    { code: 'CIP', name: 'Ciprofloxacin', className: 'Fluoroquinolones' },
    { code: 'COL', name: 'Colistin', className: 'Polymyxins' },
  ],
};

const blankCulture: CultureEntryTest['culture'] = {
  source: null,
  site: null,
  collected: null,
  result: null,
  findings: [],
  organisms: [],
  comment: null,
  preliminaryComment: null,
  reasonCode: null,
  reason: null,
  explanation: null,
  isCorrection: false,
  isCritical: false,
  preliminaryGaps: [],
  finalGaps: [],
};

type Row = CultureEntryTest['culture']['organisms'][number]['sensitivity'][number];

const buildRow = (antibiotic: string, values: Partial<Row> = {}): Row => ({
  antibiotic,
  antibioticName: antibiotic,
  method: 'MIC',
  mic: null,
  interpretation: null,
  isManual: false,
  reporting: 'cascade',
  isSuppressed: false,
  limits: 'S <= 4, R >= 16',
  comment: null,
  ...values,
});

export const grownCulture: CultureEntryTest['culture'] = {
  ...blankCulture,
  source: 'BLOOD',
  collected: '2026-11-20T07:30:00',
  findings: [{ code: 'GRWBC', name: 'Leukocytes', quantity: 'FEW' }],
  organisms: [
    {
      code: 'ECOLI',
      name: 'Escherichia coli',
      quantity: 'Q5',
      mark: null,
      comment: null,
      sensitivity: [
        buildRow('AMP', { mic: '>16', interpretation: 'R' }),
        buildRow('CIP', {
          mic: '0.06',
          interpretation: 'S',
          isSuppressed: true,
          comment: 'Not for children',
        }),
      ],
    },
  ],
};

const culture: CultureEntryTest = {
  orderTestId: 7,
  code: 'UCUL',
  name: 'CULTURE, URINE',
  specimen: 'Urine',
  choices: [],
  status: ResultStatus.PENDING,
  stage: null,
  awaitsCollection: false,
  predatesSpecimen: false,
  isEntered: false,
  isReleased: false,
  hasRelease: false,
  withheld: null,
  holds: [],
  leftBecause: null,
  enteredBy: null,
  enteredAt: null,
  culture: blankCulture,
};

export const buildEntry = (
  values: Partial<CultureEntryTest> = {},
  order: Partial<MicrobiologyEntryOrder> = {},
): MicrobiologyEntryOrder => ({
  ...enteredOrder,
  tests: [{ ...culture, ...values }],
  ...order,
});

export const check: CultureCheck = { ...grownCulture, errors: [] };
export const enteredTest = {
  isEntered: true,
  status: ResultStatus.UNRELEASED,
  culture: grownCulture,
};

/** Renders the entry screen of an order with one culture. */
export async function renderEntry(entry: MicrobiologyEntryOrder, answers: Answers = {}) {
  const view = await renderPortal(<MicrobiologyEntry orderId={12} tabs={null} />, {
    user: buildProfile(Role.LABORATORY),
    parameters: { id: '12', kind: 'microbiology' },
    answers: {
      [`GET ${CULTURE_ENTRY_PATH}`]: entry,
      [`POST ${CULTURE_ENTRY_PATH}/7/check`]: check,
      'GET /api/v2/microbiology/lists': lists,
      'GET /api/v2/reasons': [{ code: 'REPEAT', words: 'Changed on repeat testing' }],
      ...answers,
    },
  });
  await screen.findByRole('form', { name: 'Culture of CULTURE, URINE' });
  const getBody = (method: string, end = '') =>
    view.requests.findLast((request) => request.method === method && request.path.endsWith(end))
      ?.body;
  return { ...view, getBody };
}

export const getButton = (name: string) => screen.getByRole('button', { name });
export const getCell = (label: string) => screen.getByLabelText(label);
