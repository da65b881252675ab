import { useQueries } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { api } from '../api';
import { messages } from '../contract';
import { buildProblem } from '../test/portal';
import { capabilities, renderPortal } from '../test/render';
import { OfflineNotice } from './OfflineNotice';

const PATH = '/api/v2/patients/1';
const failToFetch = () => Promise.reject(new TypeError('Failed to fetch'));
const findNotice = () => screen.findByText(messages.PORTAL_LOST);
const expectNoNotice = () => expect(screen.queryByText(messages.PORTAL_LOST)).toBeNull();

describe('The notice that the portal is lost', () => {
  afterEach(async () => {
    // The next test begins with a portal that answers.
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}')));
    await api.get(PATH);
    vi.unstubAllGlobals();
  });

  it('is shown from a lost call until the next answer', async () => {
    let isBack = false;
    const answers = {
      'GET /capabilities': failToFetch,
      [`GET ${PATH}`]: () => (isBack ? {} : failToFetch()),
    };
    await renderPortal(<OfflineNotice />, { answers });
    expectNoNotice();
    await expect(api.get(PATH)).rejects.toMatchObject({ status: 0 });
    expect(await findNotice()).toBeVisible();
    isBack = true;
    await act(() => api.get(PATH));
    await waitFor(expectNoNotice);
  });

  it('lets screens load what they could not load, as soon as the portal is back', async () => {
    let isBack = false;
    const answers = {
      'GET /capabilities': () => (isBack ? capabilities : failToFetch()),
      [`GET ${PATH}`]: () => (isBack ? { name: 'ADA' } : failToFetch()),
      'GET /api/v2/patients/2': buildProblem(404, 'not_found', 'Gone.'),
    };
    function Names() {
      const [first, second] = useQueries({
        queries: [1, 2].map((id) => ({
          queryKey: ['patients', id],
          queryFn: () => api.get<{ name: string }>(`/api/v2/patients/${id}`),
          meta: { quiet: true },
        })),
      });
      return (
        <>
          <OfflineNotice />
          <p>{first?.data?.name ?? first?.status}</p>
          <p>{second?.status === 'error' ? 'missing' : null}</p>
        </>
      );
    }
    const { requests } = await renderPortal(<Names />, { answers });
    expect(await screen.findByText('error')).toBeVisible();
    expect(await screen.findByText('missing')).toBeVisible();
    expect(await findNotice()).toBeVisible();
    isBack = true;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('ADA')).toBeVisible();
    expect(requests.filter(({ path }) => path === '/api/v2/patients/2')).toHaveLength(1);
  });

  it('does not appear if the portal still answers other calls', async () => {
    const checkCapabilities = vi.fn(() => capabilities);
    const answers = { 'GET /capabilities': checkCapabilities, [`GET ${PATH}`]: failToFetch };
    await renderPortal(<OfflineNotice />, { answers });
    await expect(api.get(PATH)).rejects.toMatchObject({ status: 0 });
    await waitFor(() => expect(checkCapabilities).toHaveBeenCalled());
    expectNoNotice();
  });

  it("appears when the desktop's sidecar cannot reach the portal", async () => {
    const answers = {
      'GET /capabilities': { ...capabilities, lab: null },
      [`GET ${PATH}`]: buildProblem(503, 'portal_unreachable', messages.PORTAL_UNREACHABLE),
    };
    await renderPortal(<OfflineNotice />, { answers });
    await expect(api.get(PATH)).rejects.toMatchObject({ status: 503 });
    expect(await findNotice()).toBeVisible();
  });

  it("names the cause that the desktop's sidecar knows", async () => {
    const problem = 'Nothing accepts connections at https://portal.example.';
    const answers = {
      'GET /capabilities': { ...capabilities, lab: null, portal: { problem } },
      [`GET ${PATH}`]: buildProblem(503, 'portal_unreachable', messages.PORTAL_UNREACHABLE),
    };
    await renderPortal(<OfflineNotice />, { answers });
    await expect(api.get(PATH)).rejects.toMatchObject({ status: 503 });
    expect(await screen.findByText(`${problem} ${messages.PORTAL_LOST}`)).toBeVisible();
  });

  it('appears when the workstation loses its network, and disappears when it is back', async () => {
    let isBack = false;
    const answers = { 'GET /capabilities': () => (isBack ? capabilities : failToFetch()) };
    await renderPortal(<OfflineNotice />, { answers });
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(await findNotice()).toBeVisible();
    isBack = true;
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(expectNoNotice);
  });
});
