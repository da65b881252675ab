import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, OrderStatus, Role, say } from '../../../contract';
import { buildOrderRow } from '../../../test/orders';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import ResultWorklist from './ResultWorklist';

const PATH = 'GET /api/v2/orders/remote-operations';
const RELEASE = 'POST /api/v2/orders/release-results';
const rows = [
  buildOrderRow({ id: 1, codeValue: 'L260000001', priority: 'STAT', version: 4 }),
  buildOrderRow({ id: 2, codeValue: 'L260000002', status: OrderStatus.UNRELEASED, version: 7 }),
];

async function openWorklist(answers: Answers = {}, role: Role = Role.LABORATORY) {
  const view = await renderPortal(<ResultWorklist />, {
    user: buildProfile(role),
    answers: { [PATH]: buildPage(rows), ...answers },
  });
  await screen.findByRole('checkbox', { name: /Select.*L260000001/ });
  const getLastQuery = () =>
    view.requests.findLast(({ path }) => path.endsWith('operations'))?.query;
  return { ...view, getLastQuery };
}

const select = async ({ user }: Awaited<ReturnType<typeof openWorklist>>, ...names: string[]) => {
  for (const name of names) {
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(`Select.*${name}`) }));
  }
};

const release = async ({ user }: Awaited<ReturnType<typeof openWorklist>>) => {
  await user.click(screen.getByRole('button', { name: 'Release' }));
  const dialog = await screen.findByRole('dialog', { name: 'Release results' });
  expect(
    within(dialog).getByText(say(messages.CONFIRM_RELEASE_ORDERS, { count: 2 })),
  ).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Release' }));
};

describe('The worklist', () => {
  it('shows the most urgent orders first, then those that wait longest', async () => {
    const view = await openWorklist();
    expect(view.getLastQuery()?.get('sort')).toBe('priority,orderDate');
  });

  it('finds orders in which a test is open', async () => {
    const test = { id: 9, code: 'GLU', name: 'GLUCOSE', alternateNames: '', isPanel: false };
    const view = await openWorklist({
      'GET /api/v2/tests/remote-operations': buildPage([test]),
    });
    await view.user.click(screen.getByRole('button', { name: 'Test Any' }));
    await view.user.click(await screen.findByRole('option', { name: /GLU/ }));
    await waitFor(() => expect(view.getLastQuery()?.get('openTests')).toBe('9'));
  });

  it('shows how far entry is, and finds orders that are ready', async () => {
    const { user, getLastQuery } = await openWorklist({
      [PATH]: buildPage([
        buildOrderRow({ id: 1, entry: { open: 0, entered: 2, held: 0, separate: 0 } }),
        buildOrderRow({
          id: 2,
          codeValue: 'L260000002',
          entry: { open: 3, entered: 2, held: 0, separate: 0 },
        }),
        buildOrderRow({
          id: 3,
          codeValue: 'L260000003',
          entry: { open: 0, entered: 2, held: 1, separate: 0 },
        }),
      ]),
    });
    expect(screen.getByText('READY').parentElement).toHaveAttribute(
      'data-tip',
      '2 of 2 entered, not released',
    );
    expect(screen.getByText('2 of 5 entered')).toBeInTheDocument();
    expect(screen.getByText('ON HOLD').parentElement).toHaveAttribute(
      'data-tip',
      '1 on hold, 2 of 2 entered',
    );
    await user.click(screen.getByRole('checkbox', { name: 'All entered' }));
    await waitFor(() => expect(getLastQuery()?.get('allEntered')).toBe('true'));
  });

  it('says how long an order waits, but only while something is open', async () => {
    const orderDate = '2026-11-20T07:30:00';
    await openWorklist({
      [PATH]: buildPage([
        buildOrderRow({ id: 1, orderDate, entry: { open: 1, entered: 0, held: 0, separate: 0 } }),
        buildOrderRow({
          id: 2,
          codeValue: 'L260000002',
          status: OrderStatus.FINAL,
          orderDate,
          entry: { open: 0, entered: 0, held: 0, separate: 0 },
        }),
      ]),
    });
    const [open, final] = document.querySelectorAll(`[data-tip="Received 11/20/2026 07:30 AM"]`);
    expect(open).not.toBeEmptyDOMElement();
    expect(final).toBeEmptyDOMElement();
  });

  it('shows clients who enter results how long orders wait, and no progress of entry', async () => {
    const orderDate = '2026-11-20T07:30:00';
    const waitingRow = buildOrderRow({ id: 1, orderDate, entry: null });
    const finalRow = {
      ...waitingRow,
      id: 2,
      codeValue: 'L260000002',
      status: OrderStatus.FINAL,
    };
    await openWorklist({ [PATH]: buildPage([waitingRow, finalRow]) }, Role.CLIENT_BASIC);
    const [waiting, final] = document.querySelectorAll(`[data-tip="Received 11/20/2026 07:30 AM"]`);
    expect(waiting).not.toBeEmptyDOMElement();
    expect(final).toBeEmptyDOMElement();
    expect(screen.queryByRole('columnheader', { name: 'Entry' })).toBeNull();
  });

  it('releases the selected orders with the versions that were shown', async () => {
    const data = [{ id: 1 }, { id: 2 }].map((row) => ({
      ...row,
      version: 9,
      status: 16,
      left: [],
    }));
    const view = await openWorklist({ [RELEASE]: { data } });
    await select(view, 'L260000001', 'L260000002');
    await release(view);
    expect(await screen.findByText(say(messages.ORDERS_RELEASED, { count: 2 }))).toBeVisible();
    const sentRequest = view.requests.find(({ path }) => path.endsWith('release-results'));
    expect(sentRequest?.body).toEqual({ ids: [1, 2], versions: { 1: 4, 2: 7 } });
  });

  it('says which results stay unreleased and why', async () => {
    const holdReason = 'POTASSIUM is on hold and cannot be released: Control out of range';
    const data = [
      { id: 1, version: 9, status: 4, left: [holdReason] },
      { id: 2, version: 9, status: 16, left: [] },
    ];
    const view = await openWorklist({ [RELEASE]: { data } });
    await select(view, 'L260000001', 'L260000002');
    await release(view);
    expect(await screen.findByText(`Not released: L260000001: ${holdReason}.`)).toBeVisible();
  });

  it('says before the release which orders keep cultures or pathology reports', async () => {
    const view = await openWorklist({
      [PATH]: buildPage([
        buildOrderRow({ id: 1, entry: { open: 0, entered: 2, held: 0, separate: 1 } }),
        buildOrderRow({
          id: 2,
          codeValue: 'L260000002',
          entry: { open: 0, entered: 1, held: 0, separate: 0 },
        }),
      ]),
    });
    await select(view, 'L260000001', 'L260000002');
    await view.user.click(screen.getByRole('button', { name: 'Release' }));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    const text = say(messages.CONFIRM_RELEASE_SEPARATE, { orders: 'L260000001' });
    expect(within(dialog).getByText(text, { exact: false })).toBeVisible();
  });

  it('says which order stopped the release, and keeps the selection', async () => {
    const detail = say(messages.RELEASE_STOPPED, { code: 'L260000002', reason: 'GLUCOSE' });
    const view = await openWorklist({
      [RELEASE]: () => buildProblem(409, 'order_not_released', detail),
    });
    await select(view, 'L260000001', 'L260000002');
    await release(view);
    expect(await screen.findByText(detail)).toBeVisible();
    const checkbox = screen.getByRole('checkbox', { name: /Select.*L260000002/ });
    expect(checkbox).toBeChecked();
  });
});
