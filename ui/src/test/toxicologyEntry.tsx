import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

import { expect } from 'vitest';

import { ResultStatus, Role } from '../contract';
import type { ToxicologyEntryOrder, ToxicologyEntryRow } from '../features/results/toxicology/api';
import { ToxicologyEntry } from '../features/results/toxicology/ToxicologyEntry';
import { enteredOrder } from './orders';
import type { Answers } from './portal';
import { buildProfile, renderPortal } from './render';

export const TOXICOLOGY_ENTRY_PATH = '/api/v2/orders/12/toxicology-entry';

export const oxazepam: ToxicologyEntryRow = {
  orderTestId: 7,
  sameAs: null,
  parentId: null,
  level: 0,
  code: 'QOXA',
  name: 'OXAZEPAM, URINE',
  isPanel: false,
  method: 'confirmation',
  unit: 'ng/mL',
  cutOff: '20',
  low: null,
  high: null,
  detectionWindow: '3-10 days',
  resultUnit: 'ng/mL',
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
export const fentanyl: ToxicologyEntryRow = {
  ...oxazepam,
  orderTestId: 8,
  code: 'QFEN',
  name: 'FENTANYL, URINE',
  cutOff: '2',
};
export const enteredRow = { result: '150', isDetected: true, status: ResultStatus.UNRELEASED };

export const buildEntry = (
  row: Partial<ToxicologyEntryRow> = {},
  values: Partial<ToxicologyEntryOrder> = {},
): ToxicologyEntryOrder => ({
  ...enteredOrder,
  medications: ['VALIUM'],
  specimenFault: null,
  verdicts: [],
  goneVerdicts: [],
  rows: [{ ...oxazepam, ...row }, fentanyl],
  ...values,
});

export async function renderEntry(entry: ToxicologyEntryOrder, answers: Answers = {}) {
  const view = await renderPortal(<ToxicologyEntry orderId={12} tabs={null} />, {
    user: buildProfile(Role.LABORATORY),
    parameters: { id: '12', kind: 'toxicology' },
    answers: {
      [`GET ${TOXICOLOGY_ENTRY_PATH}`]: entry,
      'GET /api/v2/reasons': [{ code: 'SPECIMEN', words: 'Wrong specimen or patient' }],
      ...answers,
    },
  });
  await screen.findByLabelText('Result of OXAZEPAM, URINE');
  const getBody = (method: string) =>
    view.requests.findLast((request) => request.method === method)?.body;
  return { ...view, getBody };
}

/** Chooses why a released result is corrected. */
export async function correct(user: UserEvent, name: string, submitLabel = 'Correct') {
  await user.click(getButton(name));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('option', { name: 'Wrong specimen or patient' });
  await user.selectOptions(dialog.getByLabelText(/Reason/), 'SPECIMEN');
  await user.click(dialog.getByRole('button', { name: submitLabel }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

export const getField = (name: string) => screen.getByLabelText(name);
export const getButton = (name: string | RegExp) => screen.getByRole('button', { name });
