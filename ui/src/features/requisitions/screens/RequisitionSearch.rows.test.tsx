import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { closeDialogByEscape } from '../../../test/dialogs';
import { buildPage, buildProblem, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import { buildRequisitionRow } from '../../../test/requisitions';
import { passTime } from '../../../test/timers';
import RequisitionSearch from './RequisitionSearch';

async function openSearch(
  rows = [buildRequisitionRow(), buildRequisitionRow({ id: 11, code: 'R260000011' })],
  total: { totalCount?: number; totalIsCapped?: boolean } = {},
  clients = [1, 2],
) {
  const user = buildProfile(Role.CLIENT_BASIC);
  const view = await renderPortal(<RequisitionSearch />, {
    user: { ...user, data: { ...user.data, clients } },
    answers: {
      'GET /api/v2/requisitions/remote-operations': { ...buildPage(rows), ...total },
      'GET /api/v2/requisitions/without-insurance': [],
      'PUT /api/v2/requisitions/change-bill-to': {},
    },
  });
  const clickSearch = () => view.user.click(screen.getByRole('button', { name: 'Search' }));
  const countLoads = () =>
    view.requests.filter(({ path }) => path.endsWith('remote-operations')).length;
  await clickSearch();
  await screen.findByRole('gridcell', { name: 'R260000012' });
  const selectAll = () =>
    view.user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  return { ...view, clickSearch, countLoads, selectAll };
}

describe('The rows of the requisition search', () => {
  it('have the columns of the specification, in its order', async () => {
    await openSearch();
    const specifiedTitles = [
      ...['Requisition Id', 'Collection Date', 'Last name', 'First name', 'Birthdate', 'Client'],
      ...['Unit', 'Room - Bed', 'Tests', 'Signed', 'Status'],
    ];
    const titles = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(titles.filter((title) => specifiedTitles.includes(title))).toEqual(specifiedTitles);
  });

  it('do not open by the second click on a button of a dialog above them', async () => {
    const { device, router } = await openSearch();
    const pathBefore = router.state.location.pathname;
    const cell = screen.getByRole('gridcell', { name: 'R260000012' });
    fireEvent.click(cell, { detail: 2 });
    expect(device.windows).toEqual([]);
    expect(router.state.location.pathname).toBe(pathBefore);
    fireEvent.click(cell, { detail: 1 });
    await waitFor(() =>
      expect([...device.windows, router.state.location.pathname]).not.toEqual([pathBefore]),
    );
  });

  it('can be filtered and sorted by every column', async () => {
    const view = await openSearch();
    const getLastQuery = () =>
      view.requests.filter(({ path }) => path.endsWith('remote-operations')).at(-1)?.query;
    const headers = screen
      .getAllByRole('columnheader')
      .filter((header) => header.textContent !== '');
    for (const header of headers) {
      const title = header.textContent;
      expect(screen.getByLabelText(`Filter ${title}`)).toBeEnabled();
      expect(within(header).getByRole('button')).not.toHaveAttribute('aria-disabled');
    }
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Client' }), 'SHORE');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Tests' }), 'TSH');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Room - Bed' }), '101 - A');
    await view.user.selectOptions(
      screen.getByRole('combobox', { name: 'Filter Signed' }),
      'Not signed',
    );
    await view.user.selectOptions(
      screen.getByRole('combobox', { name: 'Filter Status' }),
      'CANCELED',
    );
    await view.user.click(screen.getByRole('button', { name: 'Client' }));
    await waitFor(
      () =>
        expect(Object.fromEntries(getLastQuery() ?? [])).toMatchObject({
          'column.clientName': 'SHORE',
          'column.tests': 'TSH',
          'column.roomAndBed': '101 - A',
          'column.hasSignature': 'false',
          'column.status': '2',
          sort: 'clientName',
        }),
      { timeout: 3000 },
    );
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Filter Status' }), 'All');
    await waitFor(() => expect(getLastQuery()?.get('column.status')).toBeNull());
  });

  it("have no column for a user's only client until the user shows it", async () => {
    const { user } = await openSearch(undefined, {}, [1]);
    expect(screen.queryByRole('columnheader', { name: 'Client' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Client' }));
    expect(screen.getByRole('columnheader', { name: 'Client' })).toBeVisible();
  });

  it('show the codes of the first tests, and all of them on hover and focus', async () => {
    const tests = ['TSH', 'LIPID', 'GLU', 'K', 'CBC'];
    const { user } = await openSearch([buildRequisitionRow({ tests, testCodes: tests })]);
    const cell = screen.getByRole('gridcell', { name: 'TSH, LIPID, GLU +2' });
    await user.hover(cell);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('CBC · CBC');
    expect(cell).toHaveAccessibleDescription(/K · K/);
    await user.unhover(cell);
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
    act(() => cell.focus());
    expect(screen.getByRole('tooltip')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('say why too many of them cannot be sorted', async () => {
    const view = await openSearch([buildRequisitionRow()], {
      totalCount: 10_001,
      totalIsCapped: true,
    });
    const header = screen.getByRole('button', { name: 'Last name' });
    expect(header).toHaveAttribute('aria-disabled', 'true');
    expect(header).toHaveAccessibleDescription(
      say(messages.SORT_TOO_MANY_ROWS, { max: '10,000', name: 'Last name' }),
    );
    const countBefore = view.countLoads();
    await view.user.click(header);
    expect(view.countLoads()).toBe(countBefore);
    await view.user.click(screen.getByRole('button', { name: 'Collection Date' }));
    await waitFor(() => expect(view.countLoads()).toBe(countBefore + 1));
  });

  it('name the sorted column by its title if a wider search finds too many to sort', async () => {
    let hasTooMany = false;
    const explain = (name: string) => say(messages.SORT_TOO_MANY_ROWS, { max: '10,000', name });
    const answer = ({ query }: SentRequest) => {
      const sort = query.get('sort') ?? '';
      if (!hasTooMany || sort !== 'patientLastName') return buildPage([buildRequisitionRow()]);
      const error = { field: 'sort', message: explain(sort) };
      return buildProblem(400, 'bad_input', explain(sort), [error]);
    };
    const { user } = await renderPortal(<RequisitionSearch />, {
      answers: { 'GET /api/v2/requisitions/remote-operations': answer },
    });
    await screen.findByRole('gridcell', { name: 'R260000012' });
    await user.click(screen.getByRole('button', { name: 'Last name' }));
    hasTooMany = true;
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(await screen.findByText(explain('Last name'))).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show in the default order' }));
    expect(await screen.findByRole('gridcell', { name: 'R260000012' })).toBeVisible();
  });

  it('lose their selection when the grid reloads', async () => {
    const view = await openSearch();
    await view.selectAll();
    expect(screen.getByText('2 selected')).toBeVisible();
    const countBefore = view.countLoads();
    await view.clickSearch();
    await waitFor(() => expect(view.countLoads()).toBe(countBefore + 1), { timeout: 2000 });
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
  });

  it('stay the same in an open dialog while the grid reloads behind it', async () => {
    const view = await openSearch();
    await view.selectAll();
    const countBefore = view.countLoads();
    await view.user.click(screen.getByRole('button', { name: 'Update Bill To' }));
    await screen.findByRole('dialog', { name: 'Update Bill To' });
    // A change by somebody else reloads the rows too.
    fireEvent.click(screen.getByRole('button', { name: 'Search', hidden: true }));
    await waitFor(() => expect(view.countLoads()).toBe(countBefore + 1), { timeout: 2000 });
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    await view.user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => {
      const putRequest = view.requests.find(({ method }) => method === 'PUT');
      expect(putRequest?.body).toMatchObject({ ids: [12, 11] });
    });
  });

  it('get the focus back after an action that removes its own button', async () => {
    const view = await openSearch();
    const code = screen.getByRole('gridcell', { name: 'R260000011' });
    await view.selectAll();
    act(() => code.focus());
    const open = () => view.user.click(screen.getByRole('button', { name: 'Update Bill To' }));
    await open();
    await screen.findByRole('dialog', { name: 'Update Bill To' });
    await closeDialogByEscape(view.user);
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Update Bill To' })).toHaveFocus(),
    );
    await open();
    await view.user.click(await screen.findByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    await waitFor(() => expect(screen.getByRole('gridcell', { name: 'R260000011' })).toHaveFocus());
  });

  it('print no labels while one of them is canceled, and the button says which', async () => {
    const view = await renderPortal(<RequisitionSearch />, {
      user: buildProfile(Role.CLIENT_BASIC),
      answers: {
        'GET /api/v2/requisitions/remote-operations': buildPage([
          buildRequisitionRow(),
          buildRequisitionRow({ id: 11, code: 'R260000011', status: 2 }),
        ]),
      },
    });
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    const getLabels = () => screen.getByRole('button', { name: 'Print Label' });
    await screen.findByRole('gridcell', { name: 'R260000012' });
    const [first] = screen.getAllByRole('checkbox', { name: /^Select [PR]\d/ });
    if (!first) throw new Error('two rows are expected');
    await view.user.click(first);
    expect(getLabels()).toBeEnabled();
    await view.user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
    expect(getLabels()).toBeDisabled();
    expect(getLabels()).toHaveAttribute(
      'title',
      'Requisition R260000011 is CANCELED, so it has no labels',
    );
  });

  it('are filtered by two columns, however quickly a person types', async () => {
    const view = await openSearch();
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Last name' }), 'SMITH');
    await view.user.keyboard('{Tab}');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter First name' }), 'J');
    await waitFor(
      () => {
        const lastRequest = view.requests
          .filter(({ path }) => path.endsWith('remote-operations'))
          .at(-1);
        expect(lastRequest?.query.get('column.patientLastName')).toBe('SMITH');
        expect(lastRequest?.query.get('column.patientFirstName')).toBe('J');
      },
      { timeout: 3000 },
    );
  });

  it('are not filtered by an invalid date, and the box shows the error when it loses the focus', async () => {
    const view = await openSearch();
    const box = screen.getByRole('textbox', { name: 'Filter Birthdate' });
    await view.user.type(box, '13/45');
    expect(box).not.toHaveAttribute('aria-invalid');
    await view.user.tab();
    expect(box).toHaveAttribute('aria-invalid', 'true');
    expect(await screen.findByRole('alert')).toHaveTextContent(messages.DATE_INVALID);
    expect(box).toHaveAccessibleDescription(messages.DATE_INVALID);
    await view.user.clear(box);
    await view.user.type(box, '04/17/1952');
    await view.user.tab();
    expect(box).not.toHaveAttribute('aria-invalid');
    await view.user.clear(box);
    await view.user.tab();
    expect(box).not.toHaveAttribute('aria-invalid');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('are filtered by a two-digit year when its box loses the focus', async () => {
    const view = await openSearch();
    const box = screen.getByRole('textbox', { name: 'Filter Birthdate' });
    const listLoads = () => view.requests.filter(({ path }) => path.endsWith('remote-operations'));
    await view.user.type(box, '4/17/52');
    await view.user.tab();
    expect(box).toHaveValue('04/17/1952');
    await waitFor(() =>
      expect(listLoads().at(-1)?.query.get('column.patientBirthDate')).toBe('1952-04-17'),
    );
  });

  it('keep their filter while the box contains an invalid date', async () => {
    const view = await openSearch();
    const box = screen.getByRole('textbox', { name: 'Filter Birthdate' });
    const listLoads = () => view.requests.filter(({ path }) => path.endsWith('remote-operations'));
    await view.user.type(box, '04/17/1952{Enter}');
    const getDateFilter = () => listLoads().at(-1)?.query.get('column.patientBirthDate');
    await waitFor(() => expect(getDateFilter()).toBe('1952-04-17'));
    const countBefore = listLoads().length;
    await view.user.type(box, '13/13/2000{Enter}', {
      initialSelectionStart: 0,
      initialSelectionEnd: 10,
    });
    expect(box).toHaveAttribute('aria-invalid', 'true');
    expect(await screen.findByRole('alert')).toHaveTextContent(messages.DATE_INVALID);
    await passTime(600);
    expect(listLoads()).toHaveLength(countBefore);
    await view.user.clear(box);
    await waitFor(() => expect(getDateFilter()).toBeNull(), { timeout: 3_000 });
  });

  it('are printed as one document', async () => {
    const view = await openSearch();
    expect(screen.queryByRole('button', { name: 'Print Requisitions' })).toBeNull();
    await view.selectAll();
    await view.user.click(screen.getByRole('button', { name: 'Print Requisitions' }));
    const [document] = view.device.documents;
    expect(document?.path).toMatch(/^\/api\/v2\/reports\/requisition\?ids=12&ids=11$/);
  });
});

describe('The tests on a card on a phone', () => {
  it('are all shown by a button, which neither opens nor selects the row', async () => {
    setScreenWidth(widths.phone);
    const testCodes = ['CBC', 'CMP', 'TSH', 'LIPID', 'A1C'];
    const tests = ['Blood Count', 'Metabolic', 'Thyroid', 'Lipids', 'Glycohemoglobin'];
    const { user, device } = await renderPortal(<RequisitionSearch />, {
      answers: {
        'GET /api/v2/requisitions/remote-operations': buildPage([
          buildRequisitionRow({ testCodes, tests }),
        ]),
      },
    });
    const cards = within(await screen.findByRole('list', { name: 'Requisitions' }));
    const more = await cards.findByRole('button', { name: '+2: show all 5 tests' });
    expect(cards.queryByText(/LIPID/)).toBeNull();
    await user.click(more);
    expect(cards.getByText('LIPID · Lipids')).toBeVisible();
    expect(cards.getByRole('checkbox')).not.toBeChecked();
    await user.keyboard('{Enter}');
    expect(cards.queryByText('LIPID · Lipids')).toBeNull();
    expect(device.windows).toEqual([]);
  });
});
