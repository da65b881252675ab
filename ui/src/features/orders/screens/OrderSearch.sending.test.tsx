import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { limits, messages, OrderStatus, Role, say } from '../../../contract';
import { buildOrderRow } from '../../../test/orders';
import { buildEventStream, buildPage, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import OrderSearch from './OrderSearch';

const PATH = 'GET /api/v2/orders/remote-operations';
const ACCEPTED_TRANSMISSION = { id: 1, status: 'queued', recipients: [] };

const buildRow = (id: number, status: OrderStatus) =>
  buildOrderRow({ id, codeValue: `L26000000${id}`, status, version: id + 2, requisitionId: id });
const ROWS = [buildRow(1, OrderStatus.FINAL), buildRow(2, OrderStatus.PARTIAL)];

async function openSearch(answers: Answers = {}, role: Role = Role.CLIENT_BASIC, rows = ROWS) {
  const view = await renderPortal(<OrderSearch />, {
    user: { ...buildProfile(role), data: { ...buildProfile().data, clients: [1, 2] } },
    answers: { [PATH]: buildPage(rows), ...answers },
  });
  for (const { codeValue } of rows) {
    await view.user.click(
      await screen.findByRole('checkbox', { name: new RegExp(`Select.*${codeValue}`) }),
    );
  }
  return view;
}

const getButton = (name: string) => screen.getByRole('button', { name });

describe('Acts on selected orders', () => {
  it('sends the results of all selected orders', async () => {
    const { user, requests } = await openSearch({
      'POST /api/v2/orders/transmission': ACCEPTED_TRANSMISSION,
    });
    await user.click(getButton('Email Results'));
    const dialog = screen.getByRole('dialog', { name: 'Email Results of 2 Orders' });
    await user.type(within(dialog).getByRole('textbox'), 'office@clinic.example{Enter}');
    expect(await screen.findByText('The email was sent successfully')).toBeVisible();
    const [request] = requests.filter(({ path }) => path.endsWith('/transmission'));
    expect(request?.body).toEqual({
      ids: [1, 2],
      type: 'EMAIL',
      value: 'office@clinic.example',
    });
  });

  it('says which order has nothing to send', async () => {
    await openSearch({}, Role.CLIENT_BASIC, [
      buildRow(1, OrderStatus.FINAL),
      buildRow(2, OrderStatus.UNRELEASED),
    ]);
    const reason = say(messages.ORDER_NOTHING_TO_SEND, { code: 'L260000002' });
    for (const name of ['Email Results', 'Fax Results']) {
      expect(getButton(name)).toBeDisabled();
      expect(getButton(name)).toHaveAttribute('title', reason);
    }
  });

  it('updates the bill-to of all', async () => {
    const { user, requests } = await openSearch({
      'PUT /api/v2/orders/change-bill-to': { data: [] },
    });
    await user.click(getButton('Update Bill To'));
    const dialog = screen.getByRole('dialog', { name: 'Update Bill To' });
    await user.selectOptions(within(dialog).getByRole('combobox'), 'Client');
    await user.click(within(dialog).getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('The bill to was updated successfully')).toBeVisible();
    const [request] = requests.filter(({ path }) => path.endsWith('/change-bill-to'));
    expect(request?.body).toEqual({ billTo: 'Client', ids: [1, 2], versions: { 1: 3, 2: 4 } });
  });

  it('asks first where insurance is billed and none is listed', async () => {
    const { user, requests } = await openSearch({
      'GET /api/v2/requisitions/without-insurance': [1],
      'PUT /api/v2/orders/change-bill-to': { data: [] },
    });
    await user.click(getButton('Update Bill To'));
    await user.click(getButton('Send'));
    const question = say(messages.BILL_TO_WITHOUT_INSURANCE, { count: 1, total: 2 });
    expect(await screen.findByText(question)).toBeVisible();
    const [check] = requests.filter(({ path }) => path.endsWith('/without-insurance'));
    const ids = ROWS.map(({ requisitionId }) => String(requisitionId));
    expect(check?.query.getAll('ids')).toEqual(ids);
    await user.click(getButton('Send anyway'));
    expect(await screen.findByText('The bill to was updated successfully')).toBeVisible();
    const [request] = requests.filter(({ path }) => path.endsWith('/change-bill-to'));
    expect(request?.body).toEqual({ billTo: 'Insurance', ids: [1, 2], versions: { 1: 3, 2: 4 } });
  });

  it('prints results and the log', async () => {
    const { user, device } = await openSearch();
    await user.click(getButton('Print Results'));
    await user.click(getButton('Print Log'));
    await waitFor(() =>
      expect(device.documents).toEqual([
        { path: '/api/v2/reports/order/results?ids=1&ids=2', name: 'results.pdf' },
        { path: '/api/v2/reports/order/log?ids=1&ids=2', name: 'order-log.pdf' },
      ]),
    );
  });

  it('prints all that the search found, when a whole page is selected', async () => {
    const allRows = Array.from({ length: 130 }, (_, index) =>
      buildRow(index + 1, OrderStatus.FINAL),
    );
    const answerPage = ({ query }: { query: URLSearchParams }) => {
      const skip = Number(query.get('skip'));
      const rows = allRows.slice(skip, skip + Number(query.get('take')));
      return { ...buildPage(rows), totalCount: allRows.length };
    };
    const report = { name: 'results.pdf', mediaType: 'application/pdf' };
    const stream = 'POST /api/v2/reports/order/results/stream';
    const { user, device, requests } = await openSearch(
      {
        [PATH]: answerPage,
        [stream]: () => buildEventStream([{ name: 'done', data: report }]),
      },
      Role.CLIENT_BASIC,
      allRows.slice(19, 20),
    );
    await user.click(getButton('Print Results'));
    await waitFor(() => expect(device.documents).toHaveLength(1));
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
    await user.click(getButton('Print Results'));
    const dialog = screen.getByRole('dialog', { name: 'Print Results' });
    expect(within(dialog).getByRole('radio', { name: 'The 20 selected ones' })).toBeChecked();
    await user.click(within(dialog).getByRole('radio', { name: 'All 130 that the search found' }));
    await user.click(within(dialog).getByRole('button', { name: 'Print' }));
    await waitFor(() => expect(device.files).toHaveLength(1));
    expect(requests.at(-1)?.body).toEqual({ ids: allRows.map(({ id }) => id) });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('asks nothing about more orders than a report can have', async () => {
    const { user, device } = await openSearch({
      [PATH]: { ...buildPage(ROWS), totalCount: limits.BULK_IDS_MAX + 1 },
    });
    await user.click(getButton('Print Log'));
    await waitFor(() => expect(device.documents).toHaveLength(1));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    [Role.PATIENT, false],
    [Role.PHYSICIAN, true],
    [Role.LABORATORY, true],
  ])('%s changes the bill-to: %s', async (role, canChange) => {
    await openSearch({}, role);
    expect(screen.queryByRole('button', { name: 'Update Bill To' }) !== null).toBe(canChange);
    expect(getButton('Fax Results')).toBeEnabled();
  });
});
