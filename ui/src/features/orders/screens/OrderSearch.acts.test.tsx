import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, OrderStatus, say } from '../../../contract';
import { buildOrderRow } from '../../../test/orders';
import { NURSE, openOrderSearch, ORDER_LIST } from '../../../test/orderSearchScreen';
import { buildPage, buildProblem } from '../../../test/portal';

describe('Signing and acknowledging selected orders', () => {
  it('signs the selected orders, unless one of them is final', async () => {
    const rows = [
      buildOrderRow({ id: 1, codeValue: 'L260000001', status: OrderStatus.PARTIAL }),
      buildOrderRow({ id: 2, codeValue: 'L260000002', status: OrderStatus.FINAL }),
    ];
    const { user } = await openOrderSearch({ [ORDER_LIST]: buildPage(rows) });
    await user.click(await screen.findByRole('checkbox', { name: /Select.*L260000001/ }));
    await user.click(screen.getByRole('button', { name: 'Sign' }));
    expect(await screen.findByRole('dialog', { name: 'Electronic Signature' })).toBeVisible();
    const dialog = screen.getByRole('dialog', { name: 'Electronic Signature' });
    expect(within(dialog).getByText('L260000001 · LOPEZ, MARIA')).toBeVisible();
    await user.click(within(dialog).getByText('Close'));
    await user.click(screen.getByRole('checkbox', { name: /Select.*L260000002/ }));
    expect(screen.getByRole('button', { name: 'Sign' })).toHaveAttribute(
      'title',
      say(messages.ORDER_SIGNATURE_CLOSED, { code: 'L260000002', status: 'FINAL' }),
    );
  });

  it('unsigns the selected orders, if all of them are signed and open', async () => {
    const rows = [1, 2, 3].map((id) =>
      buildOrderRow({
        id,
        codeValue: `L26000000${id}`,
        status: id === 3 ? OrderStatus.FINAL : OrderStatus.PARTIAL,
        hasSignature: true,
      }),
    );
    const { user, requests } = await openOrderSearch({
      [ORDER_LIST]: buildPage(rows),
      'POST /auth/login': { token: 'fresh', user: NURSE },
      'POST /api/v2/orders/unsign-multiple': { data: [] },
    });
    const select = async (id: number) =>
      user.click(
        await screen.findByRole('checkbox', { name: new RegExp(`Select.*L26000000${id}`) }),
      );
    await select(1);
    await select(3);
    expect(screen.getByRole('button', { name: 'Unsign' })).toHaveAttribute(
      'title',
      say(messages.ORDER_SIGNATURE_CLOSED, { code: 'L260000003', status: 'FINAL' }),
    );
    await select(3);
    await select(2);
    expect(screen.queryByRole('button', { name: 'Sign' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Unsign' }));
    const dialog = await screen.findByRole('dialog', { name: 'Unsign' });
    expect(within(dialog).getByText('2 orders')).toBeVisible();
    await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
    await user.click(within(dialog).getByRole('button', { name: 'Unsign' }));
    expect(await screen.findByText(messages.ORDERS_UNSIGNED)).toBeVisible();
    const write = requests.find(({ path }) => path.endsWith('/unsign-multiple'));
    expect(write?.body).toEqual({ ordersIds: [1, 2], versions: { 1: 1, 2: 1 } });
    expect(write?.headers.get('Authorization')).toBe('JWT fresh');
  });

  it('loads the rows again when an act finds an order that the user no longer sees', async () => {
    let isGone = false;
    const rows = [1, 2].map((id) =>
      buildOrderRow({ id, codeValue: `L26000000${id}`, status: OrderStatus.FINAL, isUnread: true }),
    );
    const { user } = await openOrderSearch({
      [ORDER_LIST]: () => buildPage(isGone ? rows.slice(1) : rows),
      'PUT /api/v2/orders/acknowledge': () => {
        isGone = true;
        return buildProblem(404, 'not_found', messages.NOT_FOUND);
      },
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
    await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
    expect(await screen.findByText(messages.NOT_FOUND)).toBeVisible();
    await waitFor(() => expect(screen.queryByText('L260000001')).toBeNull());
    expect(screen.getByText('1 selected')).toBeVisible();
  });

  it.each([
    [
      'several orders',
      [1, 2],
      'POST /api/v2/orders/unsign-multiple',
      say(messages.ORDER_CHANGED, { code: 'L260000002' }),
      say(messages.ORDER_CHANGED, { code: 'L260000002' }),
    ],
    [
      'an order',
      [1],
      'POST /api/v2/orders/1/unsign',
      messages.VERSION_STALE,
      messages.VERSION_RELOADED,
    ],
  ])(
    'shows the newer rows, still selected, when %s changed before unsigning',
    async (_, ids, call, detail, text) => {
      const buildRows = (status: OrderStatus) =>
        [1, 2].map((id) =>
          buildOrderRow({ id, codeValue: `L26000000${id}`, status, hasSignature: true }),
        );
      let isStale = false;
      const { user } = await openOrderSearch({
        [ORDER_LIST]: () =>
          buildPage(buildRows(isStale ? OrderStatus.PARTIAL : OrderStatus.PENDING)),
        'POST /auth/login': { token: 'fresh', user: NURSE },
        [call]: () => {
          isStale = true;
          return buildProblem(412, 'stale_version', detail);
        },
      });
      for (const id of ids) {
        const name = new RegExp(`Select.*L26000000${id}`);
        await user.click(await screen.findByRole('checkbox', { name }));
      }
      await user.click(screen.getByRole('button', { name: 'Unsign' }));
      const dialog = await screen.findByRole('dialog', { name: 'Unsign' });
      await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
      await user.click(within(dialog).getByRole('button', { name: 'Unsign' }));
      expect(await screen.findByText(text)).toBeVisible();
      expect(await screen.findAllByRole('row', { name: /PARTIAL/ })).toHaveLength(2);
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(screen.getByText(`${ids.length} selected`)).toBeVisible();
    },
  );
});
