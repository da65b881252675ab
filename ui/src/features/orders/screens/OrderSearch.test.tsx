import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages, OrderStatus, Role } from '../../../contract';
import { buildOrderRow } from '../../../test/orders';
import { NURSE, openOrderSearch, ORDER_LIST } from '../../../test/orderSearchScreen';
import { buildEventStream, buildPage } from '../../../test/portal';
import { getDaysAgo } from '../../../lib/period';
import { buildProfile } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';

afterEach(() => setScreenWidth(widths.desktop));

describe('The order search', () => {
  it.each([
    [Role.CLIENT_BASIC, ['Client', 'Unit', 'Patient']],
    [Role.PHYSICIAN, ['Patient']],
    [Role.PATIENT, []],
  ])('offers %s the filters of the role', async (role, names) => {
    await openOrderSearch({}, { user: { ...NURSE, role } });
    const filters = within(screen.getByRole('form', { name: 'Order search' }));
    const offeredFilters = ['Client', 'Unit', 'Patient'].filter(
      (name) => filters.queryByRole('button', { name: new RegExp(`^${name}`) }) !== null,
    );
    expect(offeredFilters).toEqual(names);
  });

  it.each([
    [Role.PATIENT, 365],
    [Role.PHYSICIAN, 0],
    [Role.CLIENT_BASIC, 0],
  ])('begins for %s with the last %i days', async (role, days) => {
    const view = await openOrderSearch({}, { user: { ...NURSE, role } });
    await waitFor(() => expect(view.getLastQuery()?.get('startDate')).toBe(getDaysAgo(days)));
    expect(view.getLastQuery()?.get('endDate')).toBe(getDaysAgo(0));
  });

  it('searches for orders with alerts', async () => {
    const view = await openOrderSearch();
    await view.user.click(screen.getByRole('checkbox', { name: 'Alert Results' }));
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(view.getLastQuery()?.get('alertResults')).toBe('true'), {
      timeout: 3000,
    });
  });

  it('offers no Pending when it was opened from alerts, until Clear all', async () => {
    const days = { startDate: '2026-11-01', endDate: '2026-11-24' };
    const view = await openOrderSearch(
      {},
      { parameters: { ...days, status: '127', alertResults: 'true', unread: 'true' } },
    );
    const status = screen.getByRole('radiogroup', { name: 'Order Status' });
    const listChoices = () =>
      within(status)
        .getAllByRole('radio')
        .map((radio) => radio.getAttribute('aria-label'));
    await waitFor(() => expect(view.getLastQuery()?.get('alertResults')).toBe('true'));
    expect(view.getLastQuery()?.get('unread')).toBe('true');
    expect(listChoices()).toEqual(['Partial', 'Final', 'All']);
    expect(within(status).getByRole('radio', { name: 'All' })).toBeChecked();
    await view.user.click(screen.getByRole('button', { name: 'Clear all' }));
    expect(listChoices()).toEqual(['Pending', 'Partial', 'Final', 'All']);
    expect(screen.getByRole('checkbox', { name: 'Alert Results' })).not.toBeChecked();
  });

  it.each(['3', '1', 'x'])(
    'searches for all when a link to alerts asks for a status that it does not offer: %s',
    async (status) => {
      const days = { startDate: '2026-11-01', endDate: '2026-11-24' };
      const view = await openOrderSearch(
        {},
        { parameters: { ...days, status, alertResults: 'true' } },
      );
      await waitFor(() => expect(view.getLastQuery()?.get('alertResults')).toBe('true'));
      expect(view.getLastQuery()?.get('status')).toBe('127');
      expect(screen.getByRole('radio', { name: 'All' })).toBeChecked();
    },
  );

  it('shows a filter of a link even if the role is not offered it', async () => {
    const days = { startDate: '2026-11-01', endDate: '2026-11-24' };
    const view = await openOrderSearch(
      {},
      { parameters: { ...days, unread: 'true' }, user: buildProfile(Role.LABORATORY) },
    );
    await waitFor(() => expect(view.getLastQuery()?.get('unread')).toBe('true'));
    await view.user.click(screen.getByRole('checkbox', { name: 'Unread Results' }));
    await waitFor(() => expect(view.getLastQuery()?.get('unread')).toBeNull());
  });

  it('finds what the physician has not read', async () => {
    const view = await openOrderSearch({}, { user: buildProfile(Role.PHYSICIAN) });
    await view.user.click(screen.getByRole('checkbox', { name: 'Unread Results' }));
    await waitFor(() => expect(view.getLastQuery()?.get('unreadByPhysician')).toBe('true'));
    expect(view.getLastQuery()?.get('unread')).toBeNull();
  });

  it('has a column for each test that the lab chose, with value and flag', async () => {
    const result = { results: '512', reportAs: '512 mg/dL', flag: 'HH' as const };
    const row = buildOrderRow({
      orderResults: [
        { ...result, testId: 7, isAbnormal: true, isCritical: true, hasNoRange: false },
      ],
    });
    const tests = [
      { id: 7, code: 'GLU', name: 'GLUCOSE', unit: 'mg/dL' },
      { id: 9, code: 'K', name: 'POTASSIUM', unit: 'mmol/L' },
    ];
    // Without the columns of clients, those of two tests are in view.
    await openOrderSearch(
      { [ORDER_LIST]: buildPage([row]), 'GET /api/v2/public-settings/web-results': { tests } },
      { user: buildProfile(Role.PATIENT) },
    );
    expect(await screen.findByText('512')).toBeInTheDocument();
    expect(screen.getByText('HH')).toBeInTheDocument();
    expect(document.querySelector('[data-tip="512 mg/dL HH"]')).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: 'GLU' })).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: 'K' })).toBeInTheDocument();
  });

  it('marks a result that was not judged, in words too', async () => {
    const result = { results: '8.00', reportAs: '8.00 mg/dL', flag: null };
    const row = buildOrderRow({
      orderResults: [
        { ...result, testId: 7, isAbnormal: false, isCritical: false, hasNoRange: true },
      ],
    });
    await openOrderSearch({
      [ORDER_LIST]: buildPage([row]),
      'GET /api/v2/public-settings/web-results': {
        tests: [{ id: 7, code: 'CREA', name: 'CREATININE', unit: 'mg/dL' }],
      },
    });
    expect(await screen.findByText(`(${messages.RESULT_NO_RANGE})`)).toBeInTheDocument();
    const tip = `8.00 mg/dL. ${messages.RESULT_NO_RANGE_REASON}`;
    expect(document.querySelector(`[data-tip="${tip}"]`)).toHaveTextContent('8.00?');
  });

  it.each([
    [['CRITICAL', 'ABNORMAL'], false, 'CRITICALTOXABNORMAL', 'CRITICAL, ABNORMAL'],
    [['CRITICAL'], true, 'CRITICALRECRECOLLECT', 'CRITICAL, RECOLLECT'],
    [['ABNORMAL'], true, 'TOXABNORMALRECRECOLLECT', 'ABNORMAL, RECOLLECT'],
    [
      ['CRITICAL', 'ABNORMAL'],
      true,
      'CRITCRITICALTOXABNORMALRECRECOLLECT',
      'CRITICAL, ABNORMAL, RECOLLECT',
    ],
    [['UNEXPECTED RESULT'], false, 'TOXUNEXPECTED RESULT', 'UNEXPECTED RESULT'],
    [['CRITICAL'], false, 'CRITICAL', null],
    [['ABNORMAL'], false, 'ABNORMAL', null],
    [[], true, 'RECOLLECT', null],
  ] as const)(
    'shows all badges of a row: %j, recollect %j',
    async (badges, recollect, text, tip) => {
      const row = buildOrderRow({
        id: 1,
        codeValue: 'L260000001',
        alertBadges: [...badges],
        awaitsCollection: recollect,
      });
      await openOrderSearch({ [ORDER_LIST]: buildPage([row]) });
      const cell = await screen.findByRole('gridcell', {
        name: (_, element) => element.textContent === text,
      });
      expect(cell.querySelector('[data-tip]')?.getAttribute('data-tip') ?? null).toBe(tip);
      // The shortened words are not read out.
      const hidden = [...cell.querySelectorAll('[aria-hidden]')].map((part) => part.textContent);
      expect(hidden.every((word) => ['CRIT', 'TOX', 'REC'].includes(word))).toBe(true);
    },
  );

  it('has the words of all badges on a card', async () => {
    setScreenWidth(widths.phone);
    const row = buildOrderRow({
      id: 1,
      codeValue: 'L260000001',
      alertBadges: ['CRITICAL', 'ABNORMAL'],
      awaitsCollection: true,
    });
    await openOrderSearch({ [ORDER_LIST]: buildPage([row]) });
    for (const text of ['CRITICAL', 'ABNORMAL', 'RECOLLECT']) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(screen.queryByText('TOX')).toBeNull();
  });

  it('marks orders with missing information, and searches for them', async () => {
    const row = buildOrderRow({ hasMissingInfo: true });
    const view = await openOrderSearch({ [ORDER_LIST]: buildPage([row]) });
    expect(await screen.findByText(`(${messages.MISSING_INFORMATION})`)).toBeInTheDocument();
    await view.user.click(screen.getByRole('checkbox', { name: 'Missing Information' }));
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(view.getLastQuery()?.get('missingInfo')).toBe('true'));
  });

  it('shows how many rows each status has, unless there are too many', async () => {
    const counts = { counts: { 1: 9, 4: 3, 8: 1, 16: 31 }, totalCount: 44, totalIsCapped: false };
    const view = await openOrderSearch({ 'GET /api/v2/orders/status-counts': counts });
    await view.user.click(screen.getByRole('radio', { name: 'Partial' }));
    await waitFor(() => expect(view.getLastQuery()?.get('status')).toBe('76'), { timeout: 3000 });
    await waitFor(() =>
      expect(screen.getByRole('radio', { name: 'All' })).toHaveAccessibleDescription('44'),
    );
    const sentQuery = view.requests.findLast(({ path }) => path.endsWith('status-counts'))?.query;
    expect(sentQuery?.get('status')).toBeNull();
    view.unmount();
    await openOrderSearch({
      'GET /api/v2/orders/status-counts': { counts: {}, totalCount: 10_001, totalIsCapped: true },
    });
    await waitFor(
      () =>
        expect(screen.getByRole('radio', { name: 'All' })).toHaveAccessibleDescription('10,000+'),
      { timeout: 5000 },
    );
    expect(screen.getByRole('radio', { name: 'Final' })).not.toHaveAccessibleDescription();
  });

  it('counts the statuses again when somebody changes a shown order', async () => {
    const row = buildOrderRow({ id: 1, status: OrderStatus.PENDING });
    let send = (): void => undefined;
    let isFinal = false;
    const { requests } = await openOrderSearch({
      [ORDER_LIST]: buildPage([row]),
      'GET /api/v2/orders/ids': [{ ...row, status: OrderStatus.FINAL, version: 2 }],
      'GET /api/v2/orders/status-counts': () => ({
        counts: isFinal ? { 16: 1 } : { 1: 1 },
        totalCount: 1,
        totalIsCapped: false,
      }),
      'GET /api/v2/changes': () =>
        new Promise((resolve) => {
          const changes = [2, 3].map((version) => ({
            name: 'change',
            id: `9-${version}`,
            data: { kind: 'order', id: 1, version },
          }));
          send = () => resolve(buildEventStream(changes));
        }),
    });
    const radio = (name: string) => screen.getByRole('radio', { name });
    await waitFor(() => expect(radio('Pending')).toHaveAccessibleDescription('1'), {
      timeout: 5000,
    });
    const countRequests = () => requests.filter(({ path }) => path.endsWith('status-counts'));
    const before = countRequests().length;
    isFinal = true;
    send();
    await waitFor(() => expect(radio('Final')).toHaveAccessibleDescription('1'), {
      timeout: 5000,
    });
    expect(radio('Pending')).toHaveAccessibleDescription('0');
    expect(countRequests()).toHaveLength(before + 1);
  }, 15_000);

  it('says after Clear that the rows are those of the last search', async () => {
    const { user } = await openOrderSearch();
    await screen.findByText('No orders match this search');
    await user.click(screen.getByRole('radio', { name: 'Final' }));
    const search = screen.getByRole('button', { name: 'Search' });
    expect(search).not.toHaveClass('bp6-intent-primary');
    await user.click(screen.getByRole('button', { name: 'Clear all' }));
    expect(await screen.findByText(messages.SEARCH_OUTDATED)).toBeVisible();
    expect(search).toHaveClass('bp6-intent-primary');
    await user.click(search);
    await waitFor(() => expect(screen.queryByText(messages.SEARCH_OUTDATED)).toBeNull());
  });

  it.each(['Clear all', 'Search'])(
    'removes the search of a link from the address after %s',
    async (name) => {
      const address = '/secured/results/lab';
      window.history.replaceState({ key: 'visit' }, '', `${address};alertResults=true;unread=true`);
      const view = await openOrderSearch();
      expect(window.location.pathname).toContain('alertResults');
      await view.user.click(screen.getByRole('button', { name }));
      expect(window.location.pathname).toBe(address);
      expect(window.history.state).toEqual({ key: 'visit' });
      window.history.replaceState(null, '', '/');
    },
  );

  it('names the filters that may hide all rows, and removes them one by one', async () => {
    const view = await openOrderSearch();
    await view.user.click(screen.getByRole('radio', { name: 'Final' }));
    await view.user.click(screen.getByRole('checkbox', { name: 'Alert Results' }));
    const remove = await screen.findByRole('button', { name: 'Remove Status Final' });
    expect(screen.getByRole('button', { name: /Search the last/ })).toBeVisible();
    await view.user.click(remove);
    await waitFor(() => expect(view.getLastQuery()?.get('status')).toBe('127'));
    expect(screen.getByRole('radio', { name: 'All' })).toBeChecked();
    await view.user.click(await screen.findByRole('button', { name: 'Remove Alert Results' }));
    await waitFor(() => expect(view.getLastQuery()?.get('alertResults')).toBeNull());
    await waitFor(() => expect(screen.queryByText(messages.SEARCH_FILTERS_HIDE)).toBeNull());
  });

  it('offers the next wider period where there are no rows', async () => {
    const view = await openOrderSearch();
    await view.user.click(
      await screen.findByRole('button', { name: 'Search the last 14 days' }, { timeout: 5000 }),
    );
    await waitFor(() => expect(view.getLastQuery()?.get('startDate')).toBe(getDaysAgo(14)), {
      timeout: 3000,
    });
    expect(
      await screen.findByRole('button', { name: 'Search the last 90 days' }, { timeout: 3000 }),
    ).toBeVisible();
  });

  it('leaves the arrow keys to the lists of its filters', async () => {
    const view = await openOrderSearch();
    const status = await screen.findByRole('combobox', { name: 'Filter Status' });
    status.focus();
    await view.user.keyboard('{ArrowDown}{End}');
    expect(status).toHaveFocus();
  });

  it('offers a filter for every column, and sends filters and sort', async () => {
    const view = await openOrderSearch();
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(view.getLastQuery()).toBeDefined(), { timeout: 3000 });
    for (const header of screen.getAllByRole('columnheader').slice(1)) {
      expect(screen.getByLabelText(`Filter ${header.textContent}`)).toBeEnabled();
    }
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Client' }), 'SHORE');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Tests' }), 'TSH');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Room - Bed' }), '101 - A');
    await view.user.selectOptions(
      screen.getByRole('combobox', { name: 'Filter Status' }),
      'PARTIAL',
    );
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Filter Alert' }), 'Alert');
    await view.user.click(screen.getByRole('button', { name: 'Tests' }));
    await waitFor(
      () =>
        expect(Object.fromEntries(view.getLastQuery() ?? [])).toMatchObject({
          'column.client': 'SHORE',
          'column.testNames': 'TSH',
          'column.roomAndBed': '101 - A',
          'column.status': '4,8,64',
          'column.hasAlert': 'true',
          sort: 'testNames',
        }),
      { timeout: 3000 },
    );
  });
});
