import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, createChangeStream, type Answers } from '../../../test/portal';
import { searchColumns } from '../../../test/orderSearch';
import { buildProfile, renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import AdvancedOrderSearch from './AdvancedOrderSearch';

const SEARCH = 'POST /api/v2/orders/advanced-search';
const SAVED_SEARCHES = '/api/v2/orders/saved-searches';
const row = {
  id: 5,
  version: 1,
  code: 'L260000005',
  collectionDate: '2026-11-20T08:00:00',
  lastName: 'LOPEZ',
};
const storedSearch = {
  id: 9,
  version: 2,
  name: 'North shore',
  query: {
    combinator: 'and',
    rules: [{ field: 'client', operator: 'in', value: [3], names: { 3: 'NORTH SHORE' } }],
  },
  columns: ['lastName', 'code'],
  sort: '-collectionDate',
};

async function openSearch(answers: Answers = {}) {
  const view = await renderPortal(<AdvancedOrderSearch />, {
    user: buildProfile(Role.LABORATORY),
    answers: {
      'GET /api/v2/orders/advanced-search/columns': searchColumns,
      [SEARCH]: buildPage([row]),
      [`GET ${SAVED_SEARCHES}`]: [storedSearch],
      ...answers,
    },
  });
  await screen.findByRole('group', { name: 'Condition 1' });
  const listSearches = () => view.requests.filter(({ path }) => path.endsWith('advanced-search'));
  return {
    ...view,
    listSearches,
    getLastBody: () => listSearches().at(-1)?.body as Record<string, unknown>,
  };
}

const getCondition = (number: string) =>
  within(screen.getByRole('group', { name: `Condition ${number}` }));
const getColumnField = (number: string) =>
  getCondition(number).getByRole('combobox', { name: `Column of Condition ${number}` });

describe('The advanced order search', () => {
  it('searches at once for the orders of the last days, by POST', async () => {
    const { getLastBody, listSearches } = await openSearch();
    expect(await screen.findByRole('gridcell', { name: 'L260000005' })).toBeVisible();
    expect(getLastBody()).toEqual({
      query: {
        combinator: 'and',
        not: false,
        rules: [{ field: 'collectionDate', operator: 'inLastDays', value: '30' }],
      },
      columns: ['code', 'collectionDate', 'lastName'],
      skip: 0,
      take: 20,
      sort: '-id',
    });
    expect(listSearches().every(({ query }) => query.size === 0)).toBe(true);
    expect(screen.getByText('Orders: Collection date is in the last 30 days')).toBeVisible();
  });

  it('counts changes of its rows by others, and searches again on request', async () => {
    const changes = createChangeStream();
    const { user, listSearches } = await openSearch({ 'GET /api/v2/changes': changes.answer });
    expect(await screen.findByRole('gridcell', { name: 'L260000005' })).toBeVisible();
    changes.announce({ kind: 'order', id: 5, version: 1 });
    await user.click(await screen.findByRole('button', { name: '1 change, refresh' }));
    await waitFor(() => expect(listSearches()).toHaveLength(2));
  });

  it('builds groups of conditions, and the focus follows', async () => {
    const { user, getLastBody } = await openSearch();
    screen.getByRole('button', { name: 'Add group' }).focus();
    await user.keyboard('{Enter}');
    // The focus is on the first added field.
    expect(getColumnField('2.1')).toHaveFocus();
    await user.selectOptions(getColumnField('2.1'), 'Last name');
    await user.type(getCondition('2.1').getByRole('textbox'), 'lopez');
    await user.click(screen.getByRole('button', { name: 'Add condition to Group 2' }));
    await user.selectOptions(getColumnField('2.2'), 'Status');
    await user.click(getCondition('2.2').getByRole('checkbox', { name: 'FINAL' }));
    const group = within(screen.getByRole('group', { name: 'Group 2' }));
    await user.click(group.getByRole('radio', { name: 'Any' }));
    await user.click(group.getByRole('checkbox', { name: 'Group 2: not' }));
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() =>
      expect(getLastBody()['query']).toMatchObject({
        rules: [
          { field: 'collectionDate' },
          {
            combinator: 'or',
            not: true,
            rules: [
              { field: 'lastName', operator: 'contains', value: 'lopez' },
              { field: 'status', operator: 'in', value: ['FINAL'] },
            ],
          },
        ],
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Remove Condition 2.1' }));
    expect(screen.queryByRole('group', { name: 'Condition 2.2' })).toBeNull();
    expect(getColumnField('2.1')).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Duplicate Group 2' }));
    expect(screen.getByRole('group', { name: 'Condition 3.1' })).toBeVisible();
  });

  it('shows at a condition what is missing, and sends nothing', async () => {
    const { user, listSearches } = await openSearch();
    await waitFor(() => expect(listSearches()).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Add condition' }));
    await user.selectOptions(getColumnField('2'), 'Result of a test');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(getCondition('2').getByText(messages.SEARCH_TEST_REQUIRED)).toBeVisible();
    expect(listSearches()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Save As' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('asks for the antibiotic whose interpretation it compares', async () => {
    const { user, getLastBody, listSearches } = await openSearch();
    await waitFor(() => expect(listSearches()).toHaveLength(1));
    await user.selectOptions(getColumnField('1'), 'Antibiotic, interpretation');
    await user.click(getCondition('1').getByRole('checkbox', { name: 'R' }));
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(getCondition('1').getByText(messages.SEARCH_ANTIBIOTIC_REQUIRED)).toBeVisible();
    expect(listSearches()).toHaveLength(1);
    const antibiotic = getCondition('1').getByRole('combobox', { name: /^Antibiotic$/ });
    await user.selectOptions(antibiotic, 'Ciprofloxacin');
    expect(
      screen.getByText('Orders: Antibiotic, interpretation (Ciprofloxacin) is R'),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() =>
      expect(getLastBody()['query']).toMatchObject({
        rules: [{ field: 'susceptibility', operator: 'in', value: ['R'], antibiotic: 'CIP' }],
      }),
    );
    await user.selectOptions(getColumnField('1'), 'Last name');
    expect(getCondition('1').queryByRole('combobox', { name: /^Antibiotic$/ })).toBeNull();
  });

  it("shows the portal's errors at their conditions", async () => {
    const { user } = await openSearch({
      [SEARCH]: () =>
        buildProblem(400, 'bad_input', messages.SEARCH_DAYS_INVALID, [
          { field: 'query.rules.0.value', message: 'Enter a whole number' },
        ]),
    });
    expect(await getCondition('1').findByText('Enter a whole number')).toBeVisible();
    expect(screen.getAllByText(/whole number/)).toHaveLength(1);
    expect(screen.getByText(messages.SEARCH_REJECTED)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await user.type(getCondition('1').getByRole('textbox'), '1');
    expect(getCondition('1').queryByText('Enter a whole number')).toBeNull();
    expect(screen.getByText(messages.SEARCH_REJECTED)).toBeVisible();
  });

  it('offers to try again after another failure', async () => {
    await openSearch({ [SEARCH]: buildProblem(503, 'unavailable', '') });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
    expect(screen.queryByText(messages.SEARCH_REJECTED)).toBeNull();
  });

  it('opens a saved search with its conditions, columns and order', async () => {
    const { user, getLastBody } = await openSearch();
    await user.click(screen.getByRole('button', { name: 'Saved Searches' }));
    await user.click(await screen.findByRole('button', { name: 'North shore' }));
    await waitFor(() =>
      expect(getLastBody()).toMatchObject({
        query: { rules: [{ field: 'client', operator: 'in', value: [3] }] },
        columns: ['lastName', 'code'],
        sort: '-collectionDate',
      }),
    );
    expect(screen.getByText('Orders: Client is NORTH SHORE')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove NORTH SHORE' })).toBeVisible();
  });

  it('saves under a new name, and then under the same', async () => {
    const { user, requests } = await openSearch({
      [`POST ${SAVED_SEARCHES}`]: { ...storedSearch, name: 'Mine' },
      [`PUT ${SAVED_SEARCHES}/9`]: { ...storedSearch, name: 'Mine', version: 3 },
    });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.type(screen.getByRole('textbox', { name: /Name/ }), 'Mine{Enter}');
    expect(
      await screen.findByText(say(messages.SAVED_SEARCH_SAVED, { name: 'Mine' })),
    ).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // Saving does not make the rows outdated.
    expect(screen.queryByText(messages.SEARCH_OUTDATED)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        columns: ['code', 'collectionDate', 'lastName'],
        sort: '-id',
      }),
    );
  });

  it('says at the field that the name is in use', async () => {
    const { user } = await openSearch({
      [`POST ${SAVED_SEARCHES}`]: () =>
        buildProblem(409, 'search_name_in_use', messages.SAVED_SEARCH_NAME_IN_USE, [
          { field: 'name', message: messages.SAVED_SEARCH_NAME_IN_USE },
        ]),
    });
    await user.click(screen.getByRole('button', { name: 'Save As' }));
    await user.type(screen.getByRole('textbox', { name: /Name/ }), 'Mine{Enter}');
    const dialog = within(screen.getByRole('dialog'));
    expect(await dialog.findByText(messages.SAVED_SEARCH_NAME_IN_USE)).toBeVisible();
    expect(dialog.getByRole('textbox', { name: /Name/ })).toHaveValue('Mine');
  });

  it('deletes a saved search, which can be undone', async () => {
    const { user, requests } = await openSearch({
      [`DELETE ${SAVED_SEARCHES}/9`]: null,
      [`POST ${SAVED_SEARCHES}`]: storedSearch,
    });
    await user.click(screen.getByRole('button', { name: 'Saved Searches' }));
    await user.click(await screen.findByRole('button', { name: 'Delete North shore' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(
        requests.find(({ method, path }) => method === 'POST' && path === SAVED_SEARCHES)?.body,
      ).toMatchObject({
        name: 'North shore',
        query: storedSearch.query,
        columns: storedSearch.columns,
      }),
    );
  });

  it('keeps the focus in the list after a deletion, so that Escape closes it', async () => {
    let searches = [storedSearch, { ...storedSearch, id: 10, name: 'South shore' }];
    const { user } = await openSearch({
      [`GET ${SAVED_SEARCHES}`]: () => searches,
      [`DELETE ${SAVED_SEARCHES}/9`]: () => {
        searches = searches.slice(1);
        return null;
      },
    });
    await user.click(screen.getByRole('button', { name: 'Saved Searches' }));
    const deleteButton = await screen.findByRole('button', { name: 'Delete North shore' });
    // The dialog moves the focus once, after it has opened.
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: 'Close' }).at(-1)).toHaveFocus(),
    );
    await user.click(deleteButton);
    await waitFor(() => expect(screen.getByRole('button', { name: 'South shore' })).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('shows the chosen columns in the chosen order', async () => {
    const { user, getLastBody } = await openSearch();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Columns' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Signed' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Order Id' }));
    await user.click(dialog.getByRole('button', { name: 'Move Signed up' }));
    await user.click(dialog.getByRole('button', { name: 'Show columns' }));
    await waitFor(() =>
      expect(getLastBody()['columns']).toEqual(['collectionDate', 'signed', 'lastName']),
    );
  });

  it('does not open on a handheld', async () => {
    setScreenWidth(widths.tablet);
    const view = await renderPortal(<AdvancedOrderSearch />, {
      user: buildProfile(Role.LABORATORY),
    });
    expect(screen.getByRole('alert')).toHaveTextContent(messages.SEARCH_NOT_ON_HANDHELDS);
    expect(view.requests.filter(({ path }) => path.startsWith('/api/v2/orders'))).toEqual([]);
    setScreenWidth(widths.desktop);
  });
});

describe('Exporting what a search finds', () => {
  const EXPORTS = '/api/v2/result-exports';
  const EXPORT = 'POST /api/v2/orders/advanced-search/export';
  const allowed = { allowed: true, reason: null };
  const denied = { allowed: false, reason: null };
  const runningExport = {
    id: 8,
    kind: 'orders',
    name: 'orders-2026-03-04-8.xlsx',
    format: 'xlsx',
    state: 'running',
    parameters: {},
    rowsExpected: 2000,
    rowsWritten: 500,
    size: null,
    trouble: null,
    createdAt: '2026-03-04T10:00:00+00:00',
    startedAt: '2026-03-04T10:00:01+00:00',
    finishedAt: null,
    expiresAt: null,
    isExpired: false,
    canDownload: denied,
    canCancel: allowed,
    canRemove: denied,
  };
  const doneExport = {
    ...runningExport,
    id: 7,
    name: 'orders-2026-03-04-7.csv',
    state: 'done',
    rowsWritten: 2000,
    size: 48_200,
    expiresAt: '2026-03-11T10:00:05+00:00',
    canDownload: allowed,
    canCancel: denied,
    canRemove: allowed,
  };

  async function openExport(answers: Answers = {}) {
    const view = await openSearch({
      [`GET ${EXPORTS}`]: [doneExport],
      [EXPORT]: runningExport,
      ...answers,
    });
    await view.user.click(screen.getByRole('button', { name: 'Export' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export Orders' }));
    return { ...view, dialog };
  }

  it('exports the conditions as shown, even before they are searched for', async () => {
    const view = await openSearch({ [`GET ${EXPORTS}`]: [], [EXPORT]: runningExport });
    const field = getCondition('1').getByRole('textbox');
    await view.user.clear(field);
    await view.user.type(field, '7');
    await view.user.click(screen.getByRole('button', { name: 'Export' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export Orders' }));
    expect(dialog.getByText('Orders: Collection date is in the last 7 days')).toBeVisible();
    await view.user.click(dialog.getByRole('radio', { name: 'Text (CSV)' }));
    await view.user.click(dialog.getByRole('button', { name: 'Export' }));
    expect(await screen.findByText(messages.EXPORT_REQUESTED)).toBeVisible();
    const sentRequest = view.requests.find(({ path }) => path.endsWith('/export'));
    expect(sentRequest?.body).toEqual({
      query: {
        combinator: 'and',
        not: false,
        rules: [{ field: 'collectionDate', operator: 'inLastDays', value: '7' }],
      },
      columns: ['code', 'collectionDate', 'lastName'],
      sort: '-id',
      format: 'csv',
      summary: 'Orders: Collection date is in the last 7 days',
    });
    expect(sentRequest?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('shows progress, and downloads what is done', async () => {
    const { dialog, user, device } = await openExport({
      [`GET ${EXPORTS}`]: [runningExport, doneExport],
    });
    expect(await dialog.findByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
    expect(dialog.getByRole('button', { name: `Cancel ${runningExport.name}` })).toBeVisible();
    await user.click(dialog.getByRole('button', { name: `Download ${doneExport.name}` }));
    expect(device.documents).toEqual([
      { path: `${EXPORTS}/7/file`, name: doneExport.name, isSaved: true },
    ]);
  });

  it('opens only when every condition is filled in', async () => {
    const { user } = await openSearch({ [`GET ${EXPORTS}`]: [] });
    await user.clear(getCondition('1').getByRole('textbox'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    expect(screen.getByText(messages.SEARCH_VALUE_REQUIRED)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('shows an error of the portal at its condition', async () => {
    const problem = buildProblem(400, 'bad_input', messages.VALIDATION_ERROR, [
      { field: 'query.rules.0.value', message: messages.SEARCH_VALUE_REQUIRED },
    ]);
    const { dialog, user } = await openExport({ [EXPORT]: problem });
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    expect(await screen.findByText(messages.SEARCH_VALUE_REQUIRED)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('says why the portal starts no further export', async () => {
    const detail = say(messages.EXPORTS_UNFINISHED, { max: '3' });
    const { dialog, user } = await openExport({
      [EXPORT]: buildProblem(409, 'too_many_exports', detail),
    });
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    expect(await screen.findByText(detail)).toBeVisible();
  });
});
