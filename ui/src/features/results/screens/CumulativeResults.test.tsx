import { act, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages, Role } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { buildProblem, createChangeStream } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import CumulativeResults from './CumulativeResults';

/** jsdom has no canvas; the browser journey draws the real charts. */
vi.mock('uplot', () => ({
  default: class {
    static tzDate = (date: Date) => date;
    destroy = () => undefined;
    setCursor = () => undefined;
    valToPos = () => 0;
  },
}));

const ORDER = '/api/v2/orders/12';
const info = {
  orderId: 12,
  codeValue: 'L260000012',
  collectionDate: '2026-03-04T07:30:00',
  patientId: 5,
  patientCode: 'P0000005',
  patientFirstName: 'MARIA',
  patientMiddleName: null,
  patientLastName: 'LOPEZ',
  patientBirthDate: '1961-03-04',
  patientGender: 'FEMALE',
  patientAddress: '12 LAKE ST',
  patientCity: 'CHICAGO',
  patientState: 'IL',
  patientZipCode: '60601',
  patientPhone: '312-555-0101',
  hasClinicalResult: true,
  hasMicrobiologyResult: true,
  hasToxicologyResult: false,
};
const result = {
  id: 1,
  testId: 7,
  series: '7-1',
  name: 'GLUCOSE',
  result: '142',
  unit: 'mg/dL',
  resultType: 1,
  isAbnormal: true,
  isCritical: false,
  isCorrected: false,
  comment: null,
  organisms: [],
  number: 142,
  sign: null,
  flag: 'H',
  method: 'HEXOKINASE',
  referenceRange: '70 - 99',
  low: 70,
  high: 99,
  isUnitChanged: false,
  isMethodChanged: false,
  isRangeChanged: true,
};
const earlierResult = {
  ...result,
  id: 2,
  result: '101',
  number: 101,
  flag: null,
  isAbnormal: false,
  referenceRange: '65 - 110',
  isRangeChanged: false,
};
const days = [
  {
    collectionDate: '2026-03-04',
    orders: [
      {
        id: 12,
        code: 'L260000012',
        date: '2026-03-04T07:30:00',
        client: 'LAKESHORE',
        results: [result],
      },
    ],
  },
  {
    collectionDate: '2026-01-05',
    orders: [
      {
        id: 9,
        code: 'L260000009',
        date: '2026-01-05T00:00:00',
        client: 'LAKESHORE',
        results: [earlierResult],
      },
    ],
  },
];

const renderScreen = (answers: Record<string, unknown>, role: Role = Role.CLIENT_BASIC) =>
  renderPortal(<CumulativeResults />, {
    user: buildProfile(role),
    parameters: { id: '12' },
    answers: {
      [`GET ${ORDER}/cumulative-result-info`]: info,
      'GET /api/v2/clients/by-order-tests-in-time-range': [
        { id: 4, code: 'C4', name: 'LAKESHORE' },
      ],
      ...answers,
    },
  });

/** Leaves the screen for an order, and comes back. */
function LeavingScreen() {
  return useLocation().pathname.startsWith('/secured') ? <p>The order</p> : <CumulativeResults />;
}

describe('The cumulative results screen', () => {
  it('keeps search, tab, and selection while the user looks at an order', async () => {
    const culture = {
      ...result,
      series: 'urine',
      name: 'URINE CULTURE',
      source: 'URINE',
      collectionSite: null,
      findings: [],
      isPreliminary: false,
    };
    const [newest] = days;
    const { user, router, requests } = await renderPortal(<LeavingScreen />, {
      parameters: { id: '12' },
      answers: {
        [`GET ${ORDER}/cumulative-result-info`]: info,
        'GET /api/v2/clients/by-order-tests-in-time-range': [],
        [`GET ${ORDER}/clinical-cumulative-results`]: days,
        [`GET ${ORDER}/microbiology-cumulative-results`]: [
          { ...newest, orders: [{ ...newest?.orders[0], results: [culture] }] },
        ],
      },
    });
    await user.click(await screen.findByRole('tab', { name: 'Microbiology' }));
    await user.clear(screen.getByLabelText('Records'));
    await user.type(screen.getByLabelText('Records'), '9');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await user.click(await screen.findByRole('checkbox', { name: /^URINE CULTURE/ }));
    await user.click(screen.getByRole('link', { name: 'L260000012' }));
    expect(await screen.findByText('The order')).toBeVisible();
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('checkbox', { name: /^URINE CULTURE/ })).toBeChecked();
    expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('Microbiology');
    expect(screen.getByLabelText('Records')).toHaveValue('9');
    expect(screen.getByRole('button', { name: 'Print Selected (1)' })).toBeEnabled();
    const searches = requests.filter(({ path }) =>
      path.endsWith('microbiology-cumulative-results'),
    );
    expect(searches.at(-1)?.query.get('records')).toBe('9');
  });

  it('no longer shows a result that is withdrawn while the screen is open', async () => {
    const changes = createChangeStream();
    let isWithdrawn = false;
    await renderScreen({
      'GET /api/v2/changes': changes.answer,
      [`GET ${ORDER}/clinical-cumulative-results`]: () => (isWithdrawn ? days.slice(0, 1) : days),
    });
    expect(await screen.findByText('101')).toBeVisible();
    isWithdrawn = true;
    changes.announce({ kind: 'order', id: 9, version: 4, patientId: 5 });
    await waitFor(() => expect(screen.queryByText('101')).toBeNull());
    expect(screen.getByText('142')).toBeVisible();
  });

  it('shows the results of a new order of the patient, and the tab of a new kind', async () => {
    const changes = createChangeStream();
    let isReleased = false;
    await renderScreen({
      'GET /api/v2/changes': changes.answer,
      [`GET ${ORDER}/cumulative-result-info`]: () => ({ ...info, hasToxicologyResult: isReleased }),
      [`GET ${ORDER}/clinical-cumulative-results`]: () => (isReleased ? days : days.slice(1)),
    });
    expect(await screen.findByText('101')).toBeVisible();
    isReleased = true;
    changes.announce({ kind: 'order', id: 30, version: 1, patientId: 6 });
    changes.announce({ kind: 'order', id: 31, version: 4, patientId: 5 });
    expect(await screen.findByText('142')).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Toxicology' })).toBeVisible();
  });

  it('no longer shows the results of an order that the user no longer sees', async () => {
    const changes = createChangeStream();
    let isGone = false;
    const answer = (value: unknown) => () =>
      isGone ? buildProblem(404, 'not_found', messages.NOT_FOUND) : value;
    await renderScreen({
      'GET /api/v2/changes': changes.answer,
      [`GET ${ORDER}/cumulative-result-info`]: answer(info),
      [`GET ${ORDER}/clinical-cumulative-results`]: answer(days),
    });
    expect(await screen.findByText('101')).toBeVisible();
    isGone = true;
    changes.announce({ kind: 'order', id: 12, version: 4, patientId: 5 });
    await waitFor(() => expect(screen.queryByText(/LOPEZ/)).toBeNull());
    expect(screen.getByText(messages.NOT_FOUND)).toBeVisible();
    expect(screen.queryByText('101')).toBeNull();
  });

  it("limits the number of records to the portal's", async () => {
    const { user, requests } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
    });
    const records = await screen.findByLabelText('Records');
    await user.clear(records);
    await user.type(records, '1234567');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => {
      const searches = requests.filter(({ path }) => path.endsWith('clinical-cumulative-results'));
      expect(searches.at(-1)?.query.get('records')).toBe(String(limits.CUMULATIVE_RECORDS_MAX));
    });
  });

  it('shows results of a series across the orders, with flags and other ranges', async () => {
    await renderScreen({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
    const row = await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(row).toHaveTextContent('mg/dL · HEXOKINASE · 70 - 99');
    const [newest, oldest] = within(row).getAllByRole('cell');
    expect(newest).toHaveTextContent('142H');
    expect(oldest).toHaveTextContent('101range 65 - 110');
    const headers = screen.getAllByRole('columnheader').slice(1);
    expect(headers.map((header) => header.textContent)).toEqual([
      '03/04/202607:30 AML260000012',
      '01/05/2026L260000009',
    ]);
    expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('Clinical');
    expect(screen.queryByRole('tab', { name: 'Toxicology' })).toBeNull();
  });

  it('names what distinguishes series of the same test', async () => {
    const [newest] = days;
    const results = [
      result,
      { ...result, id: 3, series: '7-2', unit: 'mmol/L' },
      { ...result, id: 4, series: '7-3', unit: 'mmol/L', method: 'POC' },
      { ...result, id: 5, series: '8-1', testId: 8, name: 'UREA' },
    ];
    const { user } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: [
        { ...newest, orders: [{ ...newest?.orders[0], results }] },
      ],
    });
    const names = [
      'GLUCOSE, mg/dL, HEXOKINASE',
      'GLUCOSE, mmol/L, HEXOKINASE',
      'GLUCOSE, mmol/L, POC',
      'UREA',
    ];
    for (const name of names) {
      const checkbox = await screen.findByRole('checkbox', { name });
      await user.click(checkbox);
      expect(checkbox).toBeChecked();
    }
  });

  it('tells client roles whose results they see', async () => {
    await renderScreen({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
    expect(await screen.findByText(messages.CUMULATIVE_OWN_CLIENTS)).toBeVisible();
  });

  it('searches today for 5 orders, and offers 12 months if it finds nothing', async () => {
    const { user, requests } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: [],
    });
    await user.click(
      await screen.findByRole('button', { name: 'Show 12 months, 03/04/2025 - 03/04/2026' }),
    );
    expect(screen.getByLabelText('Start Date *')).toHaveValue('03/04/2025');
    const searches = requests
      .filter(({ path }) => path === `${ORDER}/clinical-cumulative-results`)
      .map(({ query }) => query);
    expect(searches.map((query) => query.get('startDate'))).toEqual([getToday(), '2025-03-04']);
    expect(searches.map((query) => query.get('records'))).toEqual(['5', '5']);
  });

  it('moves the focus to the results of the offered search', async () => {
    const { user } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: ({ query }: { query: URLSearchParams }) =>
        query.get('startDate') === '2025-03-04' ? days : [],
    });
    await user.click(await screen.findByRole('button', { name: /^Show 12 months/ }));
    const results = await screen.findByRole('region', { name: 'Cumulative clinical results' });
    await waitFor(() => expect(results).toHaveFocus());
  });

  it('says that a number was not judged', async () => {
    const unjudgedResult = { ...result, flag: null, isAbnormal: false, referenceRange: null };
    const [newest] = days;
    await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: [
        { ...newest, orders: [{ ...newest?.orders[0], results: [unjudgedResult] }] },
      ],
    });
    const row = await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(row).toHaveTextContent(`mg/dL · HEXOKINASE · ${messages.RESULT_NO_RANGE}`);
    expect(within(row).getByRole('cell')).toHaveTextContent(`142?(${messages.RESULT_NO_RANGE})`);
  });

  it('marks critical and unexpected drugs', async () => {
    const drug = {
      ...result,
      unit: null,
      flag: undefined,
      isDetected: true,
      cutOff: null,
      detectionWindow: null,
      verdict: 'unexpectedPositive',
      specimenFault: null,
      isCutOffChanged: false,
    };
    const results = [
      { ...drug, series: '7-1', name: 'FENTANYL', result: '9', isCritical: true },
      { ...drug, series: '8-1', testId: 8, name: 'OXAZEPAM', result: '150' },
    ];
    const [newest] = days;
    await renderScreen({
      [`GET ${ORDER}/cumulative-result-info`]: {
        ...info,
        hasClinicalResult: false,
        hasToxicologyResult: true,
      },
      [`GET ${ORDER}/toxicology-cumulative-results`]: [
        { ...newest, orders: [{ ...newest?.orders[0], results }] },
      ],
    });
    const readCell = async (name: RegExp) =>
      within(await screen.findByRole('row', { name })).getByRole('cell');
    const fentanyl = await readCell(/FENTANYL/);
    expect(fentanyl).toHaveTextContent('9 CRITICALunexpected: not reported');
    expect(fentanyl).toHaveAttribute('data-tone', 'critical');
    const oxazepam = await readCell(/OXAZEPAM/);
    expect(oxazepam).not.toHaveTextContent('CRITICAL');
    expect(oxazepam).toHaveAttribute('data-tone', 'abnormal');
  });

  it('keeps the focus on Search, and prints only what is still selected', async () => {
    const { user } = await renderScreen({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
    await user.click(await screen.findByRole('checkbox', { name: 'GLUCOSE' }));
    expect(screen.getByRole('button', { name: 'Print Selected (1)' })).toBeEnabled();
    await user.clear(screen.getByLabelText('Records'));
    await user.type(screen.getByLabelText('Records'), '9');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus();
    expect(await screen.findByRole('checkbox', { name: 'GLUCOSE' })).not.toBeChecked();
    expect(screen.getByRole('button', { name: 'Print Selected' })).toBeDisabled();
  });

  it('says what to enter in an empty date', async () => {
    const { user } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
    });
    for (const [label, message] of [
      ['Start Date', messages.START_DATE_REQUIRED],
      ['End Date', messages.END_DATE_REQUIRED],
    ] as const) {
      const field = await screen.findByRole('textbox', { name: new RegExp(label) });
      await user.clear(field);
      expect(field).toHaveAccessibleDescription(message);
      await user.type(field, '3');
      expect(field).toHaveAccessibleDescription(messages.DATE_INVALID);
    }
    expect(screen.getByRole('button', { name: 'Search' })).toBeDisabled();
  });

  it('does not search with a bad number of records', async () => {
    const { user } = await renderScreen({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
    const records = await screen.findByLabelText('Records');
    await user.clear(records);
    await user.type(records, '-1');
    expect(screen.getByText(messages.CUMULATIVE_RECORDS_INVALID)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Search' })).toBeDisabled();
  });

  it('draws selected tests, with a slider through the times and a table', async () => {
    const { user } = await renderScreen({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
    await user.click(await screen.findByRole('checkbox', { name: 'GLUCOSE' }));
    const slider = await screen.findByRole('slider', { name: 'Collected' });
    expect(slider).toHaveAttribute(
      'aria-valuetext',
      '03/04/2026 07:30 AM: GLUCOSE 142 mg/dL H, range 70 - 99',
    );
    const table = screen.getByRole('table', { name: 'GLUCOSE, mg/dL' });
    expect(within(table).getByRole('row', { name: /03\/04\/2026/ })).toHaveTextContent('new range');
  });

  it('prints the results of the selected rows', async () => {
    const { user, requests } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
      'POST /api/v2/reports/order/cumulative-results': new Response('%PDF'),
    });
    const print = await screen.findByRole('button', { name: 'Print Selected' });
    expect(print).toBeDisabled();
    await user.click(await screen.findByRole('checkbox', { name: 'GLUCOSE' }));
    expect(print).toHaveAccessibleName('Print Selected (1)');
    await user.click(print);
    const [request] = requests.filter(({ path }) => path.startsWith('/api/v2/reports'));
    expect(request?.body).toEqual({ ids: [1, 2] });
  });

  it('keeps the selected rows of a tab while another one is open, and prints those of all', async () => {
    const culture = { ...result, id: 30, series: '7-1', name: 'URINE CULTURE', findings: [] };
    const [newest] = days;
    const { user, requests } = await renderScreen({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
      [`GET ${ORDER}/microbiology-cumulative-results`]: [
        { ...newest, orders: [{ ...newest?.orders[0], results: [culture] }] },
      ],
      'POST /api/v2/reports/order/cumulative-results': new Response('%PDF'),
    });
    await user.click(await screen.findByRole('checkbox', { name: 'GLUCOSE' }));
    await user.click(screen.getByRole('tab', { name: 'Microbiology' }));
    const cultureBox = await screen.findByRole('checkbox', { name: /^URINE CULTURE/ });
    expect(cultureBox).not.toBeChecked();
    expect(screen.getByRole('tab', { name: 'Clinical 1 selected' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Print Selected (1)' })).toBeEnabled();
    await user.click(cultureBox);
    await user.click(screen.getByRole('tab', { name: 'Clinical 1 selected' }));
    expect(await screen.findByRole('checkbox', { name: 'GLUCOSE' })).toBeChecked();
    expect(screen.getByRole('tab', { name: 'Microbiology 1 selected' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Print Selected (2)' }));
    const [request] = requests.filter(({ path }) => path.startsWith('/api/v2/reports'));
    expect(request?.body).toEqual({ ids: [1, 2, 30] });
  });

  it("sends the physicians in a physician's profile", async () => {
    const { requests } = await renderPortal(<CumulativeResults />, {
      user: {
        ...buildProfile(Role.PHYSICIAN),
        data: { signImage: null, clients: [], patients: [], physicians: [3, 8] },
      },
      parameters: { id: '12' },
      answers: {
        [`GET ${ORDER}/cumulative-result-info`]: info,
        [`GET ${ORDER}/clinical-cumulative-results`]: days,
        'GET /api/v2/clients/by-order-tests-in-time-range': [],
      },
    });
    await screen.findByRole('row', { name: /GLUCOSE/ });
    const request = requests.find(({ path }) => path.endsWith('clinical-cumulative-results'));
    expect(request?.query.getAll('physicianIds')).toEqual(['3', '8']);
  });
});
