import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { useScanner } from '../../../components/useScanner';
import { Role } from '../../../contract';
import { buildPage, buildProblem, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { buildRequisitionRow } from '../../../test/requisitions';
import RequisitionSearch from './RequisitionSearch';

const RECEIVE = 'POST /api/v2/requisitions/receive';
const rows = [10, 11, 12].map((id) => buildRequisitionRow({ id, code: `R2600000${id}` }));

const buildReceivedAnswer = ({ body }: SentRequest) =>
  (body as { ids: number[] }).ids.map((id) => ({
    requisitionId: id,
    requisitionCode: `R2600000${id}`,
    patientLastName: 'OKONKWO',
    patientFirstName: 'AISHA',
    orderId: id,
    orderCode: `L2600000${id}`,
    collectionToCome: null as string | null,
  }));

const IN_FUTURE = 'The collection time of R260000012 is in the future';

/** Rejects the last row's collection time unless it is accepted. */
const answerEarly = (request: SentRequest) => {
  const { code, acceptsFuture } = request.body as { code?: string; acceptsFuture: boolean };
  if (!acceptsFuture) return buildProblem(409, 'collection_to_come', IN_FUTURE);
  return buildReceivedAnswer(code ? ({ body: { ids: [12] } } as SentRequest) : request);
};

/** The codes read by the header's scanner, which opens records on any screen. */
let openedCodes: string[] = [];
function HeaderScanner() {
  useScanner((code) => openedCodes.push(code));
  return null;
}

async function renderSearch(answer: unknown, role: Role = Role.LABORATORY) {
  const screenWithHeader = (
    <>
      <HeaderScanner />
      <RequisitionSearch />
    </>
  );
  openedCodes = [];
  const view = await renderPortal(screenWithHeader, {
    user: buildProfile(role),
    answers: {
      'GET /api/v2/requisitions/remote-operations': buildPage(rows),
      [RECEIVE]: answer,
    },
  });
  await view.user.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByRole('gridcell', { name: 'R260000012' });
  const listCalls = () =>
    view.requests.filter(({ method, path }) => `${method} ${path}` === RECEIVE);
  const scan = async (code: string) => {
    const box = screen.getByRole('textbox', { name: 'Scan to receive' });
    await view.user.clear(box);
    await view.user.type(box, `${code}{Enter}`);
  };
  return { ...view, listCalls, scan };
}

const getSelectAll = () => screen.getByRole('checkbox', { name: 'Select all rows of this page' });
const getReceiveButton = () => screen.getByRole('button', { name: 'Mark Received' });

describe('Receiving several requisitions', () => {
  it('asks first, since it cannot be undone, and reports once', async () => {
    const { user, listCalls } = await renderSearch(buildReceivedAnswer);
    await user.click(getSelectAll());
    await user.click(getReceiveButton());
    const question = await screen.findByRole('dialog', { name: 'Mark Received' });
    expect(question).toHaveTextContent('Receive 3 requisitions?');
    expect(listCalls()).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Receive' }));
    expect(await screen.findByText('3 requisitions received.')).toBeVisible();
    expect(listCalls().map(({ body }) => body)).toEqual([
      { ids: [10, 11, 12], acceptsFuture: false },
    ]);
    expect(screen.queryByText(/order L2600000/)).toBeNull();
  });

  it('is canceled by Cancel', async () => {
    const { user, listCalls } = await renderSearch(buildReceivedAnswer);
    await user.click(getSelectAll());
    await user.click(getReceiveButton());
    const question = await screen.findByRole('dialog', { name: 'Mark Received' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(listCalls()).toHaveLength(0);
  });

  it('names the row that stopped it, and reloads the rows', async () => {
    const reason = 'Requisition R260000011 was already received as order L260000011';
    const { user, requests } = await renderSearch(
      buildProblem(409, 'transition_not_allowed', reason),
    );
    const countLoads = () =>
      requests.filter(({ path }) => path.endsWith('remote-operations')).length;
    const countBefore = countLoads();
    await user.click(getSelectAll());
    await user.click(getReceiveButton());
    await user.click(await screen.findByRole('button', { name: 'Receive' }));
    expect(
      await screen.findByText(`None of the 3 requisitions was received: ${reason}`),
    ).toBeVisible();
    await expect.poll(countLoads).toBe(countBefore + 1);
  });

  it('is the first action on rows', async () => {
    const { user } = await renderSearch(buildReceivedAnswer);
    await user.click(getSelectAll());
    const [first] = within(
      screen.getByRole('toolbar', { name: 'Selected requisitions' }),
    ).getAllByRole('button');
    expect(first).toBe(getReceiveButton());
    expect(first).toHaveClass('bp6-intent-primary');
  });

  it('does not ask for a single row, and names its order', async () => {
    const { user } = await renderSearch(buildReceivedAnswer);
    const [first] = screen.getAllByRole('checkbox', { name: /^Select [PR]\d/ });
    if (!first) throw new Error('three rows are expected');
    await user.click(first);
    await user.click(getReceiveButton());
    expect(
      await screen.findByText('Requisition of OKONKWO, AISHA received as order L260000010.'),
    ).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('A code that is scanned outside of its field', () => {
  const scanOutside = async (view: Awaited<ReturnType<typeof renderSearch>>, code: string) => {
    screen.getByRole('button', { name: 'Search' }).focus();
    await view.user.keyboard(`${code}{Enter}`);
  };

  it('is received, and opens nothing', async () => {
    const view = await renderSearch(buildReceivedAnswer({ body: { ids: [12] } } as SentRequest));
    await scanOutside(view, 'R260000012');
    expect(await screen.findByText(/received as order L260000012/)).toBeVisible();
    expect(view.listCalls().map(({ body }) => body)).toEqual([
      { code: 'R260000012', acceptsFuture: false },
    ]);
    expect(openedCodes).toEqual([]);
  });

  it('opens the record of an order number as on other screens', async () => {
    const view = await renderSearch(buildReceivedAnswer);
    await scanOutside(view, 'L260000012');
    expect(openedCodes).toEqual(['L260000012']);
    expect(view.listCalls()).toEqual([]);
  });

  it('opens its requisition for a nurse, who cannot receive it', async () => {
    const view = await renderSearch(buildReceivedAnswer, Role.CLIENT_BASIC);
    await scanOutside(view, 'R260000012');
    expect(openedCodes).toEqual(['R260000012']);
    expect(view.listCalls()).toEqual([]);
  });
});

describe('A collection time in the future', () => {
  const findQuestion = async () => {
    const question = await screen.findByRole('dialog', { name: 'Mark Received' });
    await within(question).findByText(`${IN_FUTURE}. Receive anyway? This cannot be undone.`);
    return question;
  };

  it('is asked about after a scan, and not answered by the Enter of the next one', async () => {
    const { user, scan, listCalls } = await renderSearch(answerEarly);
    await scan('R260000012');
    const question = await findQuestion();
    expect(within(question).getByRole('button', { name: 'Receive' })).not.toHaveFocus();
    await user.click(within(question).getByRole('button', { name: 'Receive' }));
    expect(
      await screen.findByText('Requisition of OKONKWO, AISHA received as order L260000012.'),
    ).toBeVisible();
    expect(listCalls().map(({ body }) => body)).toEqual([
      { code: 'R260000012', acceptsFuture: false },
      { code: 'R260000012', acceptsFuture: true },
    ]);
  });

  it('keeps its question open during the next scan, which is received', async () => {
    const answer = (request: SentRequest) =>
      (request.body as { code: string }).code === 'R260000010'
        ? buildReceivedAnswer({ body: { ids: [10] } } as SentRequest)
        : answerEarly(request);
    const { user, scan, listCalls } = await renderSearch(answer);
    await scan('R260000012');
    const question = await findQuestion();
    const cancel = within(question).getByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(cancel).toHaveFocus());
    await user.keyboard('R260000010{Enter}');
    expect(await screen.findByText(/received as order L260000010/)).toBeVisible();
    expect(question).toBeVisible();
    expect(listCalls().map(({ body }) => body)).toEqual([
      { code: 'R260000012', acceptsFuture: false },
      { code: 'R260000010', acceptsFuture: false },
    ]);
  });

  it('says that nothing was received when the question is canceled', async () => {
    const { user, scan, listCalls } = await renderSearch(answerEarly);
    await scan('R260000012');
    await user.click(within(await findQuestion()).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(IN_FUTURE)).toBeVisible();
    expect(listCalls()).toHaveLength(1);
  });

  it('is asked about for several requisitions, which stay selected', async () => {
    const { user, requests } = await renderSearch(answerEarly);
    const countLoads = () =>
      requests.filter(({ path }) => path.endsWith('remote-operations')).length;
    const countBefore = countLoads();
    await user.click(getSelectAll());
    await user.click(getReceiveButton());
    await user.click(await screen.findByRole('button', { name: 'Receive' }));
    const question = await findQuestion();
    expect(countLoads()).toBe(countBefore);
    await user.click(within(question).getByRole('button', { name: 'Receive' }));
    expect(await screen.findByText('3 requisitions received.')).toBeVisible();
  });
});

describe('A scan that receives nothing', () => {
  it('names the code, and repeats it in the toast of the next scan', async () => {
    const { scan } = await renderSearch(buildProblem(404, 'not_found', 'No record found!'));
    await scan('R269999999');
    expect(await screen.findByText('R269999999: No record found!')).toBeVisible();
    await scan('R269999998');
    const newest = await screen.findByText('R269999998: No record found!');
    expect(newest.nextSibling).toHaveTextContent('R269999999: No record found!');
  });

  it('stays visible when the next scan is received', async () => {
    const { scan } = await renderSearch(({ body }: SentRequest) =>
      (body as { code: string }).code === 'R260000012'
        ? buildReceivedAnswer({ body: { ids: [12] } } as SentRequest)
        : buildProblem(404, 'not_found', 'No record found!'),
    );
    await scan('R269999999');
    await screen.findByText('R269999999: No record found!');
    await scan('R260000012');
    const receivedMessage = await screen.findByText(/L260000012/);
    expect(receivedMessage.nextSibling).toHaveTextContent('R269999999: No record found!');
  });

  it('does not name the code twice', async () => {
    const reason = 'Requisition R260000012 was already received as order L260000012';
    const { scan } = await renderSearch(buildProblem(409, 'transition_not_allowed', reason));
    await scan('R260000012');
    expect(await screen.findByText(reason)).toBeVisible();
  });

  it('is replaced as a whole by the next, even after a click into it', async () => {
    const { user, scan } = await renderSearch(buildProblem(404, 'not_found', 'No record found!'));
    await scan('R260000099');
    const box = screen.getByRole('textbox', { name: 'Scan to receive' });
    await waitFor(() => expect(box).toHaveValue('R260000099'));
    await user.click(box);
    await user.keyboard('R260000010');
    expect(box).toHaveValue('R260000010');
  });
});
