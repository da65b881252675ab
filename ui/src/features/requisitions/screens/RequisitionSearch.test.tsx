import { act, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { buildPage, buildProblem, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { signer } from '../../../test/requisitionForm';
import { buildRequisitionRow } from '../../../test/requisitions';
import RequisitionSearch from './RequisitionSearch';

const LIST = 'GET /api/v2/requisitions/remote-operations';
const rows = [
  buildRequisitionRow(),
  buildRequisitionRow({ id: 11, code: 'R260000011', hasSignature: true, status: 4 }),
];

async function renderSearch(role: Role = Role.CLIENT_BASIC, answers = {}) {
  const view = await renderPortal(<RequisitionSearch />, {
    user: { ...buildProfile(role), data: signer.data },
    answers: { [LIST]: buildPage(rows), ...answers },
  });
  await view.user.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByRole('gridcell', { name: 'R260000012' });
  return view;
}

const getFilters = () => within(screen.getByRole('form', { name: 'Requisition search' }));
const findListQuery = (requests: readonly SentRequest[]) =>
  requests.findLast(({ path }) => path.endsWith('remote-operations'))?.query;

describe('Returning to the requisition search', () => {
  /** Renders the search, or another screen to navigate to. */
  function Screens() {
    return useLocation().pathname === '/elsewhere' ? <h1>Elsewhere</h1> : <RequisitionSearch />;
  }
  const renderScreens = () =>
    renderPortal(<Screens />, {
      user: buildProfile(),
      path: '/secured/requisitions/search',
      answers: { [LIST]: buildPage(rows, 45) },
    });
  const findFirstCheckbox = async () => {
    const [first] = await screen.findAllByRole('checkbox', { name: /^Select [PR]\d/ });
    if (first === undefined) throw new Error('there is no row');
    return first;
  };

  it('restores filters, page and selection', async () => {
    const { user, requests, router } = await renderScreens();
    await user.click(screen.getByRole('radio', { name: 'Done' }));
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(findListQuery(requests)?.get('skip')).toBe('20'));
    await user.click(await findFirstCheckbox());
    await act(() => router.navigate('/elsewhere'));
    const requestCount = requests.length;
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('radio', { name: 'Done' })).toBeChecked();
    await waitFor(() => expect(requests.length).toBeGreaterThan(requestCount));
    expect(findListQuery(requests)?.get('skip')).toBe('20');
    expect(await findFirstCheckbox()).toBeChecked();
  });

  it('starts fresh when it is opened again from elsewhere', async () => {
    const { user, router } = await renderScreens();
    await user.click(screen.getByRole('radio', { name: 'Done' }));
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    await act(() => router.navigate('/elsewhere'));
    await act(() => router.navigate('/secured/requisitions/search'));
    expect(screen.getByRole('radio', { name: 'Pending' })).toBeChecked();
  });
});

describe('The requisition search', () => {
  it("loads today's pending requisitions first", async () => {
    const { requests } = await renderSearch();
    const query = requests.find(({ path }) => path.endsWith('remote-operations'))?.query;
    expect(Object.fromEntries(query ?? [])).toEqual({
      skip: '0',
      take: '20',
      sort: '-id',
      startDate: getToday(),
      endDate: getToday(),
      status: '1',
      signature: 'all',
    });
  });

  it('searches as soon as it appears', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    const { requests } = await renderPortal(<RequisitionSearch />, {
      answers: { [LIST]: buildPage(rows) },
    });
    // No timer has run: the search did not wait.
    expect(requests.some(({ method, path }) => `${method} ${path}` === LIST)).toBe(true);
  });

  it('shows dates, room and bed, and statuses as text', async () => {
    await renderSearch();
    expect(screen.getAllByRole('gridcell', { name: '03/27/2026 08:35 AM' })).toHaveLength(2);
    expect(screen.getAllByRole('gridcell', { name: '101 - A' })[0]).toBeVisible();
    expect(screen.getByRole('gridcell', { name: 'PENDING' })).toBeVisible();
    expect(screen.getByRole('gridcell', { name: 'DONE' })).toBeVisible();
  });

  it('hides client and unit from physicians, and receiving from everybody but the lab', async () => {
    const { user } = await renderSearch(Role.PHYSICIAN);
    expect(getFilters().queryByRole('button', { name: /^(Client|Unit)/ })).toBeNull();
    await user.click(getFilters().getByRole('button', { name: 'Patient Any' }));
    expect(screen.getByRole('combobox', { name: 'Patient' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Mark Received' })).toBeNull();
  });

  it('does not offer to sign a signed requisition', async () => {
    const { user } = await renderSearch();
    const [unsignedRow, signedRow] = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    if (!unsignedRow || !signedRow) throw new Error('two rows are expected');
    expect(screen.queryByRole('button', { name: 'Sign Requisitions' })).toBeNull();
    await user.click(unsignedRow);
    const sign = screen.getByRole('button', { name: 'Sign Requisitions' });
    expect(sign).toBeEnabled();
    await user.click(signedRow);
    expect(sign).toBeDisabled();
  });

  it('hides client, unit and patient from patients', async () => {
    const { user } = await renderSearch(Role.PATIENT);
    await user.click(getFilters().getByRole('button', { name: /^Collected/ }));
    expect(screen.getByRole('textbox', { name: 'Start Date' })).toHaveFocus();
    expect(getFilters().queryByRole('button', { name: /^(Client|Unit|Patient)/ })).toBeNull();
  });

  it('names the row that prevents an action', async () => {
    const { user } = await renderSearch();
    const [unsignedRow, signedRow] = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    if (!unsignedRow || !signedRow) throw new Error('two rows are expected');
    await user.click(unsignedRow);
    const sign = screen.getByRole('button', { name: 'Sign Requisitions' });
    expect(sign).not.toHaveAttribute('title');
    await user.click(signedRow);
    expect(sign).toHaveAttribute(
      'title',
      say(messages.REQUISITION_ALREADY_SIGNED, { code: 'R260000011' }),
    );
  });

  it("names the row that prevents each action, by the action's rule", async () => {
    const { user } = await renderSearch(Role.LABORATORY);
    const [, receivedRow] = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    if (!receivedRow) throw new Error('two rows are expected');
    await user.click(receivedRow);
    const code = 'R260000011';
    expect(screen.getByRole('button', { name: 'Mark Received' })).toHaveAttribute(
      'title',
      say(messages.REQUISITION_ALREADY_RECEIVED, { code, order: 'L260000011' }),
    );
    expect(screen.getByRole('button', { name: 'Update Bill To' })).toHaveAttribute(
      'title',
      say(messages.REQUISITION_READ_ONLY, { code, status: 'DONE' }),
    );
    expect(screen.getByRole('button', { name: 'Email Forms' })).toBeEnabled();
  });

  it('names the row that changed before signing, and reloads the rows', async () => {
    const message = 'Requisition R260000012 changed since you opened it.';
    const { user, requests } = await renderSearch(Role.CLIENT_BASIC, {
      'POST /auth/login': { token: 'fresh', user: signer },
      'POST /api/v2/requisitions/sign-multiple': buildProblem(412, 'stale_version', message),
    });
    const countLoads = () =>
      requests.filter(({ path }) => path.endsWith('remote-operations')).length;
    const [unsignedRow] = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    if (!unsignedRow) throw new Error('two rows are expected');
    await user.click(unsignedRow);
    await user.click(screen.getByRole('button', { name: 'Sign Requisitions' }));
    const countBefore = countLoads();
    const dialog = await screen.findByRole('dialog', { name: 'Electronic Signature' });
    await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
    await user.click(within(dialog).getByRole('button', { name: 'Sign' }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(countLoads()).toBe(countBefore + 1));
    expect(screen.getByText('1 selected')).toBeVisible();
  });

  it('works with only the keyboard: arrows move, Space selects, Enter opens', async () => {
    const { user, device } = await renderSearch();
    screen.getByRole('checkbox', { name: 'Select all rows of this page' }).focus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    await waitFor(() => expect(screen.getByRole('gridcell', { name: 'R260000012' })).toHaveFocus());
    await user.keyboard(' ');
    expect(screen.getByText('1 selected')).toBeVisible();
    await user.keyboard('{Enter}');
    expect(device.windows).toEqual(['/secured/requisitions/create;id=12']);
  });

  it('sorts by a column and back, and filters by its box', async () => {
    const { user, requests } = await renderSearch();
    const header = screen.getByRole('columnheader', { name: 'Last name' });
    await user.click(within(header).getByRole('button'));
    await waitFor(() => expect(header).toHaveAttribute('aria-sort', 'ascending'));
    await user.type(screen.getByRole('textbox', { name: 'Filter Last name' }), 'OKO{Enter}');
    await waitFor(() => {
      const query = findListQuery(requests);
      expect(query?.get('sort')).toBe('patientLastName');
      expect(query?.get('column.patientLastName')).toBe('OKO');
    });
  });

  it('marks a scanned code received and names its order', async () => {
    const { user, requests } = await renderSearch(Role.LABORATORY, {
      'POST /api/v2/requisitions/receive': [
        {
          requisitionId: 12,
          requisitionCode: 'R260000012',
          orderId: 5,
          patientLastName: 'OKONKWO',
          patientFirstName: 'AISHA',
          orderCode: 'L260000012',
          collectionToCome: null,
        },
      ],
    });
    await user.type(screen.getByRole('textbox', { name: 'Scan to receive' }), 'r260000012{Enter}');
    expect(
      await screen.findByText('Requisition of OKONKWO, AISHA received as order L260000012.'),
    ).toBeVisible();
    expect(requests.find(({ path }) => path.endsWith('/receive'))?.body).toEqual({
      code: 'R260000012',
      acceptsFuture: false,
    });
  });
});

describe('A pending search', () => {
  it('shows a loading state at once', async () => {
    await renderPortal(<RequisitionSearch />, { answers: { [LIST]: buildPage([]) } });
    expect(screen.getByText('Loading')).toBeInTheDocument();
    expect(screen.queryByText(/Search to see/)).not.toBeInTheDocument();
  });

  it('loads again when the same search is submitted twice', async () => {
    const { user, requests } = await renderSearch();
    const countLoads = () =>
      requests.filter(({ method, path }) => `${method} ${path}` === LIST).length;
    const countBefore = countLoads();
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(countLoads()).toBe(countBefore + 1), { timeout: 2000 });
  });
});
