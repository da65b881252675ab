import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { OtherMedication, ToxicologyRow } from './api';
import { ToxicologyResults } from './ToxicologyResults';

const PATH = 'GET /api/v2/orders/12/toxicology-';

const row: ToxicologyRow = {
  treeId: '7',
  key: '7',
  parentKey: null,
  tests: ['OXAZEPAM, URINE'],
  medicationName: null,
  name: 'OXAZEPAM, URINE',
  result: '150',
  unit: 'ng/mL',
  detectionWindow: '3-10 days',
  cutOff: '20 ng/mL',
  validityRange: null,
  isInvalid: false,
  specimenFault: null,
  rxVerification: null,
  isPanel: false,
  isPresumptive: false,
  isDetected: true,
  status: ResultStatus.FINAL,
  awaitsCollection: false,
  withheld: null,
  withheldAt: null,
  releasedAt: '2026-11-20T10:05:00',
  releasedBy: 'Lara Bench',
  reason: null,
  explanation: null,
  correctedFrom: [],
  data: { resultReportComments: [], comment: null },
};

const buildVerdict = (values: Partial<ToxicologyRow>): ToxicologyRow[] => [
  {
    ...row,
    key: 'v',
    result: 'DETECTED',
    unit: null,
    cutOff: null,
    detectionWindow: null,
    ...values,
  },
  { ...row, key: 'v-7', parentKey: 'v' },
];

interface Sections {
  expected?: ToxicologyRow[];
  negative?: ToxicologyRow[];
  positive?: ToxicologyRow[];
  others?: OtherMedication[];
  alpha?: ToxicologyRow[];
}

const renderResults = ({ expected, negative, positive, others, alpha }: Sections) =>
  renderPortal(<ToxicologyResults orderId={12} />, {
    answers: {
      [`${PATH}expected-results`]: expected ?? [],
      [`${PATH}unexpected-negative-results`]: negative ?? [],
      [`${PATH}unexpected-positive-results`]: positive ?? [],
      [`${PATH}other-medications`]: others ?? [],
      [`${PATH}alpha-results`]: alpha ?? [row],
    },
  });

describe('Toxicology results', () => {
  it('say why a result is consistent, with the test behind it', async () => {
    const why = 'OXAZEPAM is a metabolite of the reported DIAZEPAM';
    await renderResults({
      expected: buildVerdict({ medicationName: 'VALIUM (DIAZEPAM)', rxVerification: why }),
    });
    const section = await screen.findByRole('region', {
      name: 'Consistent Result - Reported Medication Detected',
    });
    const verdict = within(section).getByRole('article', { name: 'VALIUM (DIAZEPAM)' });
    expect(within(verdict).getByText(why)).toBeVisible();
    expect(within(verdict).getByRole('listitem')).toHaveTextContent(
      'OXAZEPAM, URINE: 150 ng/mL cut-off 20 ng/mL · window 3-10 days',
    );
  });

  it('show the comments on a test', async () => {
    const resultReportComments = ['Screen: presumptive result', 'Performed by NORTH LAB'];
    const data = { resultReportComments, comment: 'Repeated once' };
    await renderResults({ alpha: [{ ...row, data }] });
    const header = await screen.findByRole('rowheader', { name: /OXAZEPAM/ });
    for (const text of ['Repeated once', ...resultReportComments])
      expect(within(header).getByText(text)).toBeVisible();
  });

  it('have the five sections of the specification', async () => {
    const verdict = buildVerdict({ medicationName: 'X' });
    await renderResults({
      expected: verdict,
      negative: verdict,
      positive: verdict,
      others: [{ medicationName: 'ZOLOFT', rxVerification: 'SERTRALINE was not tested' }],
    });
    for (const name of [
      'Consistent Result - Reported Medication Detected',
      'Inconsistent Result - Negative Results For Reported Medications',
      'Inconsistent Results - Positive Results For Drugs Not Reported',
      'Other Reported Medications',
      'Results',
    ]) {
      expect(await screen.findByRole('region', { name })).toBeVisible();
    }
    expect(screen.getByText('SERTRALINE was not tested')).toBeVisible();
  });

  it('leave out sections without a verdict', async () => {
    await renderResults({});
    expect(await screen.findByRole('row', { name: /OXAZEPAM/ })).toBeVisible();
    expect(screen.queryByRole('heading', { name: /Inconsistent/ })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Other Reported Medications' })).toBeNull();
  });

  it('name a presumptive verdict', async () => {
    await renderResults({
      positive: buildVerdict({ name: 'COCAINE SCREEN', isPresumptive: true }),
    });
    const verdict = await screen.findByRole('article', { name: 'COCAINE SCREEN' });
    expect(within(verdict).getByText('PRESUMPTIVE')).toBeVisible();
  });

  const earlierVersion = {
    result: '9',
    unit: 'ng/mL',
    comment: null,
    releasedAt: '2026-11-19T10:00:00',
    releasedBy: 'A B',
  };

  it('show what a corrected result was, until when, and why', async () => {
    await renderResults({
      alpha: [
        {
          ...row,
          reason: 'Wrong specimen or patient',
          explanation: 'Tubes were switched',
          correctedFrom: [
            {
              ...earlierVersion,
              result: '7',
              comment: 'Diluted',
              releasedAt: '2026-11-18T09:30:00',
            },
            { ...earlierVersion, comment: 'Repeated' },
          ],
        },
      ],
    });
    const line = await screen.findByRole('row', { name: /OXAZEPAM/ });
    expect(within(line).getByText('CORRECTED')).toBeVisible();
    expect(line).toHaveTextContent(
      /was 9 ng\/mL, comment 'Repeated' until 11\/20\/2026.* · Lara Bench · Wrong specimen or patient · Tubes were switched/,
    );
    expect(
      within(line).getByText(
        "before that 7 ng/mL, comment 'Diluted', reported 11/18/2026 09:30 AM",
      ),
    ).toBeVisible();
  });

  it.each([
    [ResultStatus.PENDING, 'PENDING'],
    [ResultStatus.CANCELED, 'CANCELED'],
  ])('show status %s of a test without a result', async (status, words) => {
    await renderResults({ alpha: [{ ...row, result: null, status }] });
    const line = await screen.findByRole('row', { name: /OXAZEPAM/ });
    expect(within(line).getByText(words)).toBeVisible();
  });

  it('say that the specimen is invalid, and by which limits', async () => {
    const specimenFault = 'CREATININE FOR VALIDITY 5 is below 20';
    const validity: ToxicologyRow = {
      ...row,
      name: 'CREATININE FOR VALIDITY',
      result: '5',
      unit: 'mg/dL',
      cutOff: null,
      validityRange: '20 - 400',
      isDetected: null,
      isInvalid: true,
      specimenFault,
    };
    await renderResults({ alpha: [validity] });
    expect(await screen.findByText(`Specimen invalid: ${specimenFault}`)).toBeVisible();
    expect(screen.getByRole('cell', { name: 'Valid: 20 - 400' })).toBeVisible();
  });

  it('mark the correction of a withdrawn result, without that result', async () => {
    const corrected = { ...row, reason: 'Wrong specimen or patient', explanation: 'Rack 7' };
    await renderResults({ alpha: [corrected] });
    expect(await screen.findByText('CORRECTED')).toBeVisible();
    expect(
      screen.getByText('Corrected result · Lara Bench · Wrong specimen or patient · Rack 7'),
    ).toBeVisible();
  });

  it('say that a result was withdrawn, and when', async () => {
    await renderResults({
      alpha: [
        { ...row, result: null, withheld: 'withdrawn' as const, withheldAt: '2026-11-20T10:00:00' },
      ],
    });
    const line = await screen.findByRole('row', { name: /OXAZEPAM/ });
    expect(within(line).getByText('WITHDRAWN 11/20/2026 10:00 AM')).toBeVisible();
  });

  it('mark a value whose specimen was rejected later', async () => {
    await renderResults({ alpha: [{ ...row, awaitsCollection: true }] });
    const line = await screen.findByRole('row', { name: /OXAZEPAM/ });
    expect(within(line).getByText(messages.SPECIMEN_NEEDED)).toBeVisible();
  });

  it('mark what only the lab sees', async () => {
    await renderResults({ alpha: [{ ...row, status: ResultStatus.UNRELEASED }] });
    expect(await screen.findByText('NOT RELEASED')).toBeVisible();
  });

  it('say once that they could not be loaded, and load all parts again', async () => {
    let isUp = false;
    const answer = () => (isUp ? [] : buildProblem(503, 'unavailable', ''));
    const { user } = await renderPortal(<ToxicologyResults orderId={12} />, {
      answers: {
        [`${PATH}expected-results`]: answer,
        [`${PATH}unexpected-negative-results`]: answer,
        [`${PATH}unexpected-positive-results`]: [],
        [`${PATH}other-medications`]: answer,
        [`${PATH}alpha-results`]: () => (isUp ? [row] : buildProblem(503, 'unavailable', '')),
      },
    });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    isUp = true;
    await user.click(retry);
    expect(await screen.findByRole('rowheader', { name: /OXAZEPAM/ })).toBeVisible();
  });
});
