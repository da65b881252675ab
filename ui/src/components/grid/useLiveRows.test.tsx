import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import {
  buildEventStream,
  buildPage,
  createChangeStream,
  type Answers,
  type SentRequest,
} from '../../test/portal';
import { renderPortal } from '../../test/render';
import { DataGrid } from './DataGrid';
import type { GridColumn } from './types';
import { useGrid } from './useGrid';
import type { LiveRows } from './useLiveRows';

interface Row {
  id: number;
  name: string;
  version: number;
}

const FILTERS = {};
const LIVE: LiveRows = { kind: 'thing', path: '/api/things/ids' };
const columns: readonly GridColumn<Row>[] = [
  { id: 'name', title: 'Name', width: 120, sort: 'name', cell: (row) => row.name, card: 'title' },
];
const rows = [
  { id: 1, name: 'ONE', version: 1 },
  { id: 2, name: 'TWO', version: 1 },
];

function RowGrid({ live = LIVE }: { live?: LiveRows }) {
  const grid = useGrid<Row>({
    name: 'things',
    path: '/api/things',
    filters: FILTERS,
    defaultSort: [],
    getRowId: (row) => row.id,
    live,
  });
  return <DataGrid label="Things" grid={grid} columns={columns} selectable />;
}

const buildChange = (id: number, version: number, kind = 'thing') => ({
  name: 'change',
  id: `9-${id}`,
  data: { kind, id, version },
});

/** Creates a portal whose event stream waits for `send`, once; later listeners get no events. */
function createPortal(answers: Answers = {}) {
  let send: (events: Parameters<typeof buildEventStream>[0]) => void = () => undefined;
  let requestCount = 0;
  const lastEventIds: (string | null)[] = [];
  const allAnswers: Answers = {
    'GET /api/things': buildPage(rows),
    'GET /api/v2/changes': ({ headers }: { headers: Headers }) => {
      lastEventIds.push(headers.get('Last-Event-ID'));
      requestCount += 1;
      if (requestCount > 1) return new Promise(() => undefined);
      return new Promise((resolve) => {
        send = (events) => resolve(buildEventStream(events));
      });
    },
    ...answers,
  };
  return {
    answers: allAnswers,
    lastEventIds,
    send: (events: Parameters<typeof buildEventStream>[0]) => send(events),
  };
}

async function renderGrid(answers: Answers = {}, live?: LiveRows) {
  const portal = createPortal(answers);
  const view = await renderPortal(<RowGrid {...(live && { live })} />, {
    answers: portal.answers,
  });
  await screen.findByText('ONE');
  return { ...view, ...portal };
}

describe('A grid with live rows', () => {
  it('updates a changed visible row and keeps the selection', async () => {
    const { user, send, requests } = await renderGrid({
      'GET /api/things/ids': [{ id: 2, name: 'TWO, SIGNED', version: 2 }],
    });
    const [, second] = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    if (!second) throw new Error('two rows are expected');
    await user.click(second);
    act(() => send([buildChange(2, 2)]));
    expect(await screen.findByText('TWO, SIGNED')).toBeVisible();
    expect(screen.getByText('1 selected')).toBeVisible();
    expect(requests.filter(({ path }) => path === '/api/things')).toHaveLength(1);
    expect(requests.find(({ path }) => path === '/api/things/ids')?.query.getAll('ids')).toEqual([
      '2',
    ]);
  });

  it.each<[string, LiveRows]>([
    ['with the rows of the list', LIVE],
    ['with rows of its own', { kind: 'thing', scopePath: '/api/things/ids' }],
  ])('removes a row that the user may no longer see, %s', async (_, live) => {
    const { user, send, requests } = await renderGrid(
      {
        'GET /api/things/ids': ({ query }: SentRequest) =>
          rows.filter(({ id }) => id === 1 && query.getAll('ids').includes('1')),
      },
      live,
    );
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
    act(() => send([buildChange(2, 2)]));
    await waitFor(() => expect(screen.queryByText('TWO')).toBeNull());
    expect(screen.getByRole('button', { name: '1 change, refresh' })).toBeVisible();
    expect(screen.getByText('ONE')).toBeVisible();
    expect(screen.getByText('1 selected')).toBeVisible();
    expect(requests.filter(({ path }) => path === '/api/things')).toHaveLength(1);
  });

  it('counts a change whose row cannot be loaded', async () => {
    const { send } = await renderGrid({
      'GET /api/things/ids': new Response(null, { status: 503 }),
    });
    act(() => send([buildChange(2, 2)]));
    expect(await screen.findByRole('button', { name: '1 change, refresh' })).toBeVisible();
    expect(screen.getByText('TWO')).toBeVisible();
  });

  it('counts the changes of other rows and loads them on request', async () => {
    const { user, send, requests } = await renderGrid();
    act(() => send([buildChange(7, 1), buildChange(8, 1), buildChange(8, 2)]));
    await user.click(await screen.findByRole('button', { name: '2 changes, refresh' }));
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === '/api/things')).toHaveLength(2),
    );
    await waitFor(() => expect(screen.queryByRole('button', { name: /refresh$/ })).toBeNull());
  });

  it('keeps a row selected that is checked while a refresh is loading', async () => {
    let finishLoading = (): void => undefined;
    let loads = 0;
    const { user, send } = await renderGrid({
      'GET /api/things': () => {
        loads += 1;
        if (loads === 1) return buildPage(rows);
        return new Promise((resolve) => {
          finishLoading = () => resolve(buildPage([{ id: 2, name: 'TWO, RELOADED', version: 2 }]));
        });
      },
    });
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
    act(() => send([buildChange(7, 1)]));
    await user.click(await screen.findByRole('button', { name: '1 change, refresh' }));
    expect(screen.queryByText('2 selected')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
    expect(screen.getByText('2 selected')).toBeVisible();
    act(() => finishLoading());
    expect(await screen.findByText('TWO, RELOADED')).toBeVisible();
    expect(screen.getByText('1 selected')).toBeVisible();
  });

  it('ignores known versions and other kinds of records', async () => {
    const { send, requests } = await renderGrid();
    act(() => send([buildChange(1, 1), buildChange(5, 1, 'order'), buildChange(6, 1)]));
    expect(await screen.findByRole('button', { name: '1 change, refresh' })).toBeVisible();
    expect(requests.filter(({ path }) => path === '/api/things/ids')).toHaveLength(0);
  });

  it('counts changes of visible rows that it cannot load one by one', async () => {
    const { send, requests } = await renderGrid({}, { kind: 'thing' });
    act(() => send([buildChange(2, 2), buildChange(7, 1)]));
    expect(await screen.findByRole('button', { name: '2 changes, refresh' })).toBeVisible();
    expect(requests.filter(({ path }) => path === '/api/things/ids')).toHaveLength(0);
  });

  it('updates a row whose change kept the version, and skips older changes', async () => {
    const { send, requests } = await renderGrid(
      { 'GET /api/things/ids': [{ id: 2, name: 'TWO, SIGNED', version: 1 }] },
      { ...LIVE, mayKeepVersion: true },
    );
    act(() => send([buildChange(1, 0), buildChange(2, 1)]));
    expect(await screen.findByText('TWO, SIGNED')).toBeVisible();
    const patches = requests.filter(({ path }) => path === '/api/things/ids');
    expect(patches.map(({ query }: SentRequest) => query.getAll('ids'))).toEqual([['2']]);
  });

  it('keeps a newer row when the answer about an older version comes late', async () => {
    const changes = createChangeStream();
    let finishFirst = (): void => undefined;
    const { requests } = await renderGrid({
      'GET /api/v2/changes': changes.answer,
      'GET /api/things/ids': () => {
        const isFirst = requests.filter(({ path }) => path === '/api/things/ids').length === 1;
        if (!isFirst) return [{ id: 2, name: 'TWO, NEWER', version: 3 }];
        return new Promise((resolve) => {
          finishFirst = () => resolve([{ id: 2, name: 'TWO, OLDER', version: 2 }]);
        });
      },
    });
    changes.announce({ kind: 'thing', id: 2, version: 2 });
    await waitFor(() => expect(requests.some(({ path }) => path === '/api/things/ids')).toBe(true));
    changes.announce({ kind: 'thing', id: 2, version: 3 });
    expect(await screen.findByText('TWO, NEWER')).toBeVisible();
    act(() => finishFirst());
    changes.announce({ kind: 'thing', id: 7, version: 1 });
    expect(await screen.findByRole('button', { name: '1 change, refresh' })).toBeVisible();
    expect(screen.getByText('TWO, NEWER')).toBeVisible();
  });

  it('ignores changes that its own load already contains', async () => {
    let loads = 0;
    const { user, send, requests } = await renderGrid({
      'GET /api/things': () => buildPage(++loads === 1 ? rows : rows.slice(0, 1)),
    });
    await user.click(screen.getByRole('button', { name: 'Name' }));
    await waitFor(() => expect(screen.queryByText('TWO')).toBeNull());
    act(() => send([buildChange(2, 2), buildChange(9, 1)]));
    expect(await screen.findByRole('button', { name: '1 change, refresh' })).toBeVisible();
    expect(requests.filter(({ path }) => path === '/api/things')).toHaveLength(2);
  });

  it('offers a refresh after an overrun and continues listening', async () => {
    const { send, lastEventIds } = await renderGrid();
    act(() => send([{ name: 'overrun', data: {} }]));
    expect(await screen.findByRole('button', { name: '1 change, refresh' })).toBeVisible();
    await waitFor(() => expect(lastEventIds).toEqual([null, null]), { timeout: 4000 });
  });

  it('resumes after a lost connection from the last change', async () => {
    const { send, lastEventIds } = await renderGrid();
    act(() => send([buildChange(7, 1)]));
    await waitFor(() => expect(lastEventIds).toEqual([null, '9-7']), { timeout: 4000 });
  });
});
