import { act, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';

import { ApiError } from '../../../api';
import { limits, messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import ResultExport from './ResultExport';

const PATH = '/api/v2/result-exports';
const allowed = { allowed: true, reason: null };
const denied = { allowed: false, reason: null };
const row = {
  id: 7,
  kind: 'results',
  name: 'results-2026-03-04-7.xlsx',
  format: 'xlsx',
  state: 'done',
  parameters: {},
  rowsExpected: 1234,
  rowsWritten: 1234,
  size: 48_200,
  trouble: null as string | null,
  createdAt: '2026-03-04T10:00:00+00:00',
  startedAt: '2026-03-04T10:00:01+00:00',
  finishedAt: '2026-03-04T10:00:05+00:00',
  expiresAt: '2026-03-11T10:00:05+00:00',
  isExpired: false,
  canDownload: allowed as { allowed: boolean; reason: string | null },
  canCancel: denied,
  canRemove: allowed,
};
const runningExport = {
  ...row,
  id: 8,
  name: 'results-2026-03-04-8.csv',
  state: 'running',
  rowsExpected: 2000,
  rowsWritten: 500,
  size: null,
  canDownload: denied,
  canCancel: allowed,
  canRemove: denied,
};
const preview = {
  orders: 1,
  rows: 2,
  isCapped: false,
  columns: [
    { name: 'order', heading: 'Order', type: 'text' },
    { name: 'middleName', heading: 'Middle Name', type: 'text' },
    { name: 'collected', heading: 'Collected', type: 'moment' },
    { name: 'number', heading: 'Number', type: 'number' },
  ],
  data: [
    ['L260000012', null, '2026-03-04T00:00:00', '4.0'],
    ['L260000012', null, '2026-03-04T07:30:00', '5.1'],
  ],
};
const CLIENTS = [
  { id: 1, code: 'A', name: 'LAKE CARE' },
  { id: 2, code: 'B', name: 'OAK CLINIC' },
];
const TEST = { id: 4, code: 'GLU', name: 'GLUCOSE', alternateNames: '', isPanel: false };

function openScreen(
  answers: Answers = {},
  role: Role = Role.LABORATORY,
  element = <ResultExport />,
) {
  const user = buildProfile(role);
  if (role === Role.LABORATORY) user.data.clients = [];
  return renderPortal(element, {
    user,
    answers: {
      [`GET ${PATH}`]: [row],
      [`GET ${PATH}/preview`]: preview,
      'GET /api/v2/clients/remote-operations': buildPage(CLIENTS),
      'GET /api/v2/tests/remote-operations': buildPage([TEST]),
      ...answers,
    },
  });
}

const getExport = () => screen.getByRole('button', { name: 'Export' });

describe('Result Export', () => {
  it('shows the request of each export', async () => {
    const days = { startDate: '2026-03-01', endDate: '2026-03-04' };
    const unlimited = { ...days, clientIds: [], testIds: [], testCodes: [], status: 127 };
    const limited = {
      ...days,
      clientIds: [1, 2],
      testIds: [4, 5, 6, 7],
      testCodes: ['GLU', 'K', 'CREA', 'HGB'],
      status: 16,
    };
    await openScreen({
      [`GET ${PATH}`]: [
        { ...row, parameters: unlimited },
        { ...row, id: 9, parameters: limited },
      ],
      'GET /api/v2/clients/by-ids': CLIENTS,
    });
    const period = 'Collected 03/01/2026 – 03/04/2026';
    expect(
      await screen.findByText(`${period} · all clients · all tests · all statuses`),
    ).toBeVisible();
    expect(
      await screen.findByText(
        `${period} · LAKE CARE, OAK CLINIC · GLU, K, CREA and 1 more · status Final`,
      ),
    ).toBeVisible();
  });

  it('names the day of an export of a single day once', async () => {
    const day = { startDate: '2026-03-04', endDate: '2026-03-04' };
    await openScreen({ [`GET ${PATH}`]: [{ ...row, parameters: day }] });
    expect(await screen.findByText(/^Collected 03\/04\/2026 · all clients/)).toBeVisible();
  });

  it('says which conditions the orders of an export meet', async () => {
    const query = { combinator: 'and', rules: [{ field: 'code' }, { rules: [{ field: 'unit' }] }] };
    const orders = { ...row, kind: 'orders', name: 'orders-2026-03-04-7.xlsx' };
    await openScreen({
      [`GET ${PATH}`]: [
        { ...orders, parameters: { query, summary: 'Orders: Last name contains LOPEZ' } },
        { ...orders, id: 9, parameters: { query } },
      ],
    });
    expect(await screen.findByText('Orders: Last name contains LOPEZ')).toBeVisible();
    expect(screen.getByText('2 conditions')).toBeVisible();
  });

  it('shows how much there is and the first rows, without empty columns', async () => {
    await openScreen();
    expect(await screen.findByText('2 rows from 1 order')).toBeVisible();
    const table = within(screen.getByRole('table'));
    const headings = table.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headings).toEqual(['Order', 'Collected', 'Number']);
    expect(table.getByRole('cell', { name: '03/04/2026' })).toBeVisible();
    expect(table.getByRole('cell', { name: '03/04/2026 07:30 AM' })).toBeVisible();
  });

  it('exports with the chosen clients, tests, and format', async () => {
    const view = await openScreen({ [`POST ${PATH}`]: runningExport });
    await screen.findByText('2 rows from 1 order');
    for (const [label, option] of [
      ['Clients', 'OAK CLINIC'],
      ['Tests', /GLUCOSE/],
    ] as const) {
      await view.user.click(screen.getByRole('combobox', { name: label }));
      await view.user.click(await screen.findByRole('option', { name: option }));
    }
    await view.user.click(screen.getByRole('radio', { name: 'Text (CSV)' }));
    await view.user.click(getExport());
    expect(await screen.findByText(messages.EXPORT_REQUESTED)).toBeVisible();
    const sentRequest = view.requests.find(
      ({ method, path }) => method === 'POST' && path === PATH,
    );
    expect(sentRequest?.body).toMatchObject({
      clientIds: [2],
      testIds: [4],
      status: 127,
      format: 'csv',
    });
    expect(sentRequest?.headers.get('Idempotency-Key')).toBeTruthy();
    await waitFor(() => {
      const lastPreview = view.requests.filter(({ path }) => path.endsWith('/preview')).at(-1);
      expect(lastPreview?.query.getAll('clientIds')).toEqual(['2']);
    });
  });

  it('keeps what is chosen while the user looks at another screen', async () => {
    function LeavingScreen() {
      return useLocation().pathname === '/other' ? <p>Another screen</p> : <ResultExport />;
    }
    const { user, router } = await openScreen({}, Role.LABORATORY, <LeavingScreen />);
    await user.click(await screen.findByRole('combobox', { name: 'Clients' }));
    await user.click(await screen.findByRole('option', { name: 'LAKE CARE' }));
    await user.click(screen.getByRole('radio', { name: 'Text (CSV)' }));
    await act(() => router.navigate('/other'));
    expect(screen.getByText('Another screen')).toBeVisible();
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('button', { name: 'Remove LAKE CARE' })).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Text (CSV)' })).toBeChecked();
  });

  it('removes a chosen client', async () => {
    const view = await openScreen();
    await view.user.click(screen.getByRole('combobox', { name: 'Clients' }));
    await view.user.click(await screen.findByRole('option', { name: 'LAKE CARE' }));
    await view.user.click(screen.getByRole('button', { name: 'Remove LAKE CARE' }));
    expect(screen.queryByRole('list', { name: 'Chosen clients' })).not.toBeInTheDocument();
  });

  it('offers no clients to somebody with one client', async () => {
    await openScreen({}, Role.CLIENT_BASIC);
    expect(await screen.findByText('2 rows from 1 order')).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Clients' })).not.toBeInTheDocument();
  });

  it('exports nothing if nothing matches, and says so', async () => {
    await openScreen({ [`GET ${PATH}/preview`]: { ...preview, orders: 0, rows: 0, data: [] } });
    expect(await screen.findByText(messages.EXPORT_NOTHING_TO_EXPORT)).toBeVisible();
    expect(getExport()).toBeDisabled();
  });

  it('says that there are more rows than it has counted', async () => {
    await openScreen({
      [`GET ${PATH}/preview`]: { ...preview, orders: 10_000, rows: 120_000, isCapped: true },
    });
    expect(await screen.findByText('More than 120,000 rows from 10,000 orders')).toBeVisible();
    const first = say(messages.EXPORT_FIRST_ROWS, { count: limits.EXPORT_PREVIEW_ROWS });
    expect(screen.getByText(first)).toBeVisible();
  });

  it('rejects days in the wrong order without asking the portal', async () => {
    const view = await openScreen();
    await screen.findByText('2 rows from 1 order');
    const field = screen.getByRole('textbox', { name: /End Date/ });
    await view.user.clear(field);
    await view.user.type(field, '01/01/2020');
    expect(await screen.findByText(messages.END_DATE_BEFORE_START)).toBeVisible();
    expect(getExport()).toBeDisabled();
    expect(view.requests.some(({ query }) => query.get('endDate') === '2020-01-01')).toBe(false);
    expect(screen.queryByText('2 rows from 1 order')).not.toBeInTheDocument();
  });

  it.each(['Start Date', 'End Date'])('requires the %s', async (label) => {
    const view = await openScreen();
    await screen.findByText('2 rows from 1 order');
    await view.user.clear(screen.getByRole('textbox', { name: new RegExp(label) }));
    expect(await screen.findByText(say(messages.SELECTION_REQUIRED, { label }))).toBeVisible();
    expect(getExport()).toBeDisabled();
    expect(screen.queryByText('2 rows from 1 order')).not.toBeInTheDocument();
    expect(view.requests.some(({ query }) => query.get('startDate') === '')).toBe(false);
  });

  it('shows why the portal rejects an export', async () => {
    const detail = say(messages.EXPORTS_UNFINISHED, { max: limits.EXPORTS_UNFINISHED_MAX });
    const view = await openScreen({
      [`POST ${PATH}`]: buildProblem(409, 'too_many_exports', detail),
    });
    await screen.findByText('2 rows from 1 order');
    await view.user.click(getExport());
    expect(await screen.findByText(detail)).toBeVisible();
  });
});

describe('My exports', () => {
  it('says how long a file is stored, and downloads it', async () => {
    const view = await openScreen();
    expect(await screen.findByText(/1,234 rows · 48 KB · Kept until 03\/11\/2026/)).toBeVisible();
    await view.user.click(screen.getByRole('button', { name: `Download ${row.name}` }));
    expect(view.device.documents).toEqual([
      { path: `${PATH}/7/file`, name: row.name, isSaved: true },
    ]);
  });

  it('shows the progress of a running export, and cancels it', async () => {
    const canceledExport = {
      ...runningExport,
      state: 'canceled',
      canCancel: denied,
      canRemove: allowed,
    };
    let listedExport = runningExport as unknown;
    const view = await openScreen({
      [`GET ${PATH}`]: () => [listedExport],
      [`POST ${PATH}/8/cancel`]: () => {
        listedExport = canceledExport;
        return canceledExport;
      },
    });
    expect(await screen.findByText('500 of 2,000 rows')).toBeVisible();
    const bar = screen.getByRole('progressbar', { name: `Progress of ${runningExport.name}` });
    expect(bar).toHaveAttribute('aria-valuenow', '25');
    await view.user.click(screen.getByRole('button', { name: `Cancel ${runningExport.name}` }));
    expect(await screen.findByText('CANCELED')).toBeVisible();
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
  });

  it('deletes an export, and restores it on Undo', async () => {
    let listedExports: unknown[] = [row];
    const view = await openScreen({
      [`GET ${PATH}`]: () => listedExports,
      [`DELETE ${PATH}/7`]: () => {
        listedExports = [];
        return new Response(null, { status: 204 });
      },
      [`POST ${PATH}/7/restore`]: () => {
        listedExports = [row];
        return row;
      },
    });
    await view.user.click(await screen.findByRole('button', { name: `Delete ${row.name}` }));
    expect(await screen.findByText(messages.EXPORT_NONE)).toBeVisible();
    await view.user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(row.name)).toBeVisible();
  });

  it('says why an export failed, and that a file has expired', async () => {
    const expiredText = say(messages.EXPORT_EXPIRED, { days: limits.EXPORT_RETENTION_DAYS });
    await openScreen({
      [`GET ${PATH}`]: [
        { ...row, id: 9, state: 'failed', trouble: messages.EXPORT_TROUBLE, canDownload: denied },
        { ...row, isExpired: true, canDownload: { allowed: false, reason: expiredText } },
      ],
    });
    expect(await screen.findByText(messages.EXPORT_TROUBLE)).toBeVisible();
    expect(screen.getByText('EXPIRED')).toBeVisible();
    expect(screen.getByText(expiredText)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Download/ })).not.toBeInTheDocument();
  });

  it('explains that a file was lost', async () => {
    const view = await openScreen();
    await screen.findByText(row.name);
    view.device.openDocument = () =>
      Promise.reject(new ApiError(404, { detail: messages.EXPORT_FILE_LOST }));
    await view.user.click(screen.getByRole('button', { name: `Download ${row.name}` }));
    expect(await screen.findByText(messages.EXPORT_FILE_LOST)).toBeVisible();
  });
});
