import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { limits, messages, Role } from '../../../contract';
import { getToday } from '../../../lib/dates';
import {
  days,
  info,
  ORDER,
  renderCumulativeResults,
  result,
} from '../../../test/cumulativeResults';
import { buildProblem, createChangeStream } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import CumulativeResults from './CumulativeResults';

describe('The cumulative results screen', () => {
  it('no longer shows a result that is withdrawn while the screen is open', async () => {
    const changes = createChangeStream();
    let isWithdrawn = false;
    await renderCumulativeResults({
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
    await renderCumulativeResults({
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
    await renderCumulativeResults({
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
    const { user, requests } = await renderCumulativeResults({
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
    await renderCumulativeResults({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
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

  it('tells client roles whose results they see', async () => {
    await renderCumulativeResults({ [`GET ${ORDER}/clinical-cumulative-results`]: days });
    expect(await screen.findByText(messages.CUMULATIVE_OWN_CLIENTS)).toBeVisible();
  });

  it('searches today for 5 orders, and offers 12 months if it finds nothing', async () => {
    const { user, requests } = await renderCumulativeResults({
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
    const { user } = await renderCumulativeResults({
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
    await renderCumulativeResults({
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
    await renderCumulativeResults({
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

  it('says what to enter in an empty date', async () => {
    const { user } = await renderCumulativeResults({
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
    const { user } = await renderCumulativeResults({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
    });
    const records = await screen.findByLabelText('Records');
    await user.clear(records);
    await user.type(records, '-1');
    expect(screen.getByText(messages.CUMULATIVE_RECORDS_INVALID)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Search' })).toBeDisabled();
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
