import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { Role } from '../../../contract';
import { page, problem, type Seen } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import { requisitionRow } from '../../../test/requisitions';
import RequisitionSearch from './RequisitionSearch';

const RECEIVE = 'POST /api/v2/requisitions/receive';
const rows = [10, 11, 12].map((id) => requisitionRow({ id, code: `R2600000${id}` }));

const received = ({ body }: Seen) =>
  (body as { ids: number[] }).ids.map((id) => ({
    requisitionId: id,
    requisitionCode: `R2600000${id}`,
    orderId: id,
    orderCode: `L2600000${id}`,
    collectionToCome: null as string | null,
  }));

/** The same, collected in the future but for the first. */
const receivedEarly = (request: Seen) =>
  received(request).map((one) =>
    one.requisitionId === 10 ? one : { ...one, collectionToCome: '2026-11-22T15:50:00' },
  );

async function search(answer: unknown) {
  const view = await renderPortal(<RequisitionSearch />, {
    user: profile(Role.LABORATORY),
    answers: { 'GET /api/v2/requisitions/remote-operations': page(rows), [RECEIVE]: answer },
  });
  await view.user.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByRole('gridcell', { name: 'R260000012' });
  const calls = () => view.seen.filter(({ method, path }) => `${method} ${path}` === RECEIVE);
  const scan = async (code: string) => {
    const box = screen.getByRole('textbox', { name: 'Scan to receive' });
    await view.user.clear(box);
    await view.user.type(box, `${code}{Enter}`);
  };
  return { ...view, calls, scan };
}

const all = () => screen.getByRole('checkbox', { name: 'Select all rows of this page' });
const button = () => screen.getByRole('button', { name: 'Mark Received' });

describe('Receiving several requisitions', () => {
  it('is asked about, because nobody can undo it, and told once', async () => {
    const { user, calls } = await search(received);
    await user.click(all());
    await user.click(button());
    const question = await screen.findByRole('dialog', { name: 'Mark Received' });
    expect(question).toHaveTextContent('Receive 3 requisitions?');
    expect(calls()).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Receive' }));
    expect(await screen.findByText('3 requisitions received.')).toBeVisible();
    expect(calls().map(({ body }) => body)).toEqual([{ ids: [10, 11, 12] }]);
    expect(screen.queryByText(/order L2600000/)).toBeNull();
  });

  it('is left by Cancel', async () => {
    const { user, calls } = await search(received);
    await user.click(all());
    await user.click(button());
    const question = await screen.findByRole('dialog', { name: 'Mark Received' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls()).toHaveLength(0);
  });

  it('says that none was received and which stopped it, and shows them as they are now', async () => {
    const why = 'Requisition R260000011 was already received as order L260000011';
    const { user, seen } = await search(problem(409, 'transition_not_allowed', why));
    const asked = () => seen.filter(({ path }) => path.endsWith('remote-operations')).length;
    const before = asked();
    await user.click(all());
    await user.click(button());
    await user.click(await screen.findByRole('button', { name: 'Receive' }));
    expect(
      await screen.findByText(`None of the 3 requisitions was received: ${why}`),
    ).toBeVisible();
    await expect.poll(asked).toBe(before + 1);
  });

  it('is not asked about for one, whose order is named', async () => {
    const { user } = await search(received);
    const [first] = screen.getAllByRole('checkbox', { name: 'Select row' });
    if (!first) throw new Error('three rows are expected');
    await user.click(first);
    await user.click(button());
    expect(await screen.findByText('Requisition received as order L260000010.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('A collection time that is still to come', () => {
  it('is told of the one that is received', async () => {
    const [one] = receivedEarly({ body: { ids: [12] } } as Seen);
    const { scan } = await search([one]);
    await scan('R260000012');
    const sentence = 'The collection time 11/22/2026 15:50 is in the future';
    expect(
      await screen.findByText(`Requisition received as order L260000012. ${sentence}`),
    ).toBeVisible();
  });

  it('is told by codes of several', async () => {
    const { user } = await search(receivedEarly);
    await user.click(all());
    await user.click(button());
    await user.click(await screen.findByRole('button', { name: 'Receive' }));
    const sentence = 'The collection time of R260000011, R260000012 is in the future';
    expect(await screen.findByText(`3 requisitions received. ${sentence}`)).toBeVisible();
  });
});

describe('A scan that receives nothing', () => {
  it('names the code, one toast for each', async () => {
    const { scan } = await search(problem(404, 'not_found', 'No record found!'));
    await scan('R269999999');
    await scan('R269999998');
    expect(await screen.findByText('R269999999: No record found!')).toBeVisible();
    expect(await screen.findByText('R269999998: No record found!')).toBeVisible();
  });

  it('does not name it twice', async () => {
    const why = 'Requisition R260000012 was already received as order L260000012';
    const { scan } = await search(problem(409, 'transition_not_allowed', why));
    await scan('R260000012');
    expect(await screen.findByText(why)).toBeVisible();
  });
});
