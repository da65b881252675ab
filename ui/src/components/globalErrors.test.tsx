import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../api';
import { limits } from '../contract';
import { answerFirst, buildProblem } from '../test/portal';
import { buildProfile, renderPortal } from '../test/render';
import { CriticalDialog } from './CriticalDialog';
import { DataGrid } from './grid/DataGrid';
import { useGrid } from './grid/useGrid';

const PATH = '/api/v2/samples/remote-operations';

/** A screen that loads something and does not handle failures itself. */
function Loader() {
  useQuery({ queryKey: ['sample'], queryFn: () => api.get(PATH) });
  return null;
}

const failToFetch = () => Promise.reject(new TypeError('Failed to fetch'));
const answerWith = (status: number) => () => buildProblem(status, 'some_code', '');

describe('A failed call shows', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['no HTTP error', () => new Response('{', { status: 200 }), 'We have lost communication'],
    ['status 0', failToFetch, 'We have lost communication with our servers!'],
    ['400', answerWith(400), 'There was a validation error!'],
    ['404', answerWith(404), 'No record found!'],
    [
      '408',
      answerWith(408),
      'It seems that you are having problems communicating with our servers!',
    ],
    ['409', answerWith(409), 'The record already exists!'],
    ['500', answerWith(500), 'Oops, an internal error occurred!'],
    ['503', answerWith(503), "The record couldn't be created, please try later."],
    [
      '504',
      answerWith(504),
      'It seems that you are having problems communicating with our servers!',
    ],
  ])('after %s: %s', async (_, response, sentence) => {
    await renderPortal(<Loader />, { answers: { [`GET ${PATH}`]: response } });
    expect((await screen.findAllByText(new RegExp(sentence)))[0]).toBeVisible();
  });

  it('a dialog that can be closed, after any other status', async () => {
    const { user } = await renderPortal(<Loader />, {
      answers: { [`GET ${PATH}`]: answerWith(418) },
    });
    const dialog = await screen.findByRole('dialog', { name: 'Critical Error' });
    await user.click(within(dialog).getByText('Close'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('no dialog that would reload a page with unsaved changes', async () => {
    const keepPage = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', keepPage);
    await renderPortal(<Loader />, { answers: { [`GET ${PATH}`]: answerWith(418) } });
    expect(await screen.findByText('Critical Error')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    window.removeEventListener('beforeunload', keepPage);
  });

  it('an apology, after an error without an HTTP status', async () => {
    function Broken() {
      useQuery({ queryKey: ['broken'], queryFn: () => Promise.reject(new Error('broken')) });
      return null;
    }
    await renderPortal(<Broken />);
    expect(await screen.findByText('We are having trouble to succeed your request!')).toBeVisible();
  });

  it('that the computer is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await renderPortal(<Loader />, { answers: { [`GET ${PATH}`]: failToFetch } });
    expect(
      await screen.findByText("It seems that your internet connection it's not stable!"),
    ).toBeVisible();
  });

  it.each([403, 412, 413, 415, 424, 429])(
    'nothing after %s, which the screen explains',
    async (status) => {
      const { queries } = await renderPortal(<Loader />, {
        answers: { [`GET ${PATH}`]: answerWith(status) },
      });
      await waitFor(() => expect(queries.getQueryState(['sample'])?.status).toBe('error'));
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );
});

describe('Critical Error', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reloads the page after ten seconds', async () => {
    const reload = vi.fn();
    await renderPortal(<CriticalDialog reload={reload} onClose={vi.fn()} />);
    const ms = limits.CRITICAL_ERROR_RELOAD_SECONDS * 1_000;
    await act(() => vi.advanceTimersByTimeAsync(ms - 1));
    expect(reload).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(reload).toHaveBeenCalledOnce();
  });
});

interface Row {
  id: number;
}

function Grid() {
  const grid = useGrid<Row>({
    name: 'samples',
    path: PATH,
    filters: {},
    defaultSort: [],
    getRowId: ({ id }) => id,
  });
  return (
    <DataGrid
      label="Samples"
      grid={grid}
      columns={[{ id: 'id', title: 'Id', width: 80, cell: getId }]}
    />
  );
}
const getId = ({ id }: Row) => `row ${id}`;

describe('A grid', () => {
  it.each([401, 403, 504])('renews the session after %s and loads again', async (status) => {
    let calls = 0;
    const { requests } = await renderPortal(<Grid />, {
      answers: {
        [`GET ${PATH}`]: () => {
          calls += 1;
          if (calls === 1) return buildProblem(status, 'some_code', '');
          return { data: [{ id: 7 }], totalCount: 1, totalIsCapped: false, next: null };
        },
      },
    });
    expect(await screen.findByText('row 7')).toBeVisible();
    expect(requests.filter(({ path }) => path === '/auth/jwt/refresh')).toHaveLength(2);
  });

  it.each([401, 403, 504])('says after %s that the session has ended', async (status) => {
    const { session } = await renderPortal(<Grid />, {
      answers: {
        'POST /auth/jwt/refresh': answerFirst({ token: 'token', user: buildProfile() }),
        [`GET ${PATH}`]: answerWith(status),
      },
    });
    expect(await screen.findByText('Your session has expired.')).toBeVisible();
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'expired' });
  });
});
