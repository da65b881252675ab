import { act, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';

import {
  days,
  info,
  ORDER,
  renderCumulativeResults,
  result,
} from '../../../test/cumulativeResults';
import { renderPortal } from '../../../test/render';
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

/** Leaves the screen for an order, and comes back. */
function LeavingScreen() {
  return useLocation().pathname.startsWith('/secured') ? <p>The order</p> : <CumulativeResults />;
}

describe('Selected cumulative results', () => {
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

  it('names what distinguishes series of the same test', async () => {
    const [newest] = days;
    const results = [
      result,
      { ...result, id: 3, series: '7-2', unit: 'mmol/L' },
      { ...result, id: 4, series: '7-3', unit: 'mmol/L', method: 'POC' },
      { ...result, id: 5, series: '8-1', testId: 8, name: 'UREA' },
    ];
    const { user } = await renderCumulativeResults({
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

  it('keeps the focus on Search, and prints only what is still selected', async () => {
    const { user } = await renderCumulativeResults({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
    });
    await user.click(await screen.findByRole('checkbox', { name: 'GLUCOSE' }));
    expect(screen.getByRole('button', { name: 'Print Selected (1)' })).toBeEnabled();
    await user.clear(screen.getByLabelText('Records'));
    await user.type(screen.getByLabelText('Records'), '9');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus();
    expect(await screen.findByRole('checkbox', { name: 'GLUCOSE' })).not.toBeChecked();
    expect(screen.getByRole('button', { name: 'Print Selected' })).toBeDisabled();
  });

  it('draws selected tests, with a slider through the times and a table', async () => {
    const { user } = await renderCumulativeResults({
      [`GET ${ORDER}/clinical-cumulative-results`]: days,
    });
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
    const { user, requests } = await renderCumulativeResults({
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
    const { user, requests } = await renderCumulativeResults({
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
});
