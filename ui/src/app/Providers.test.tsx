import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { ApiError, Session } from '../api';
import { messages } from '../contract';
import { FakeBridge } from '../device/fake';
import { installFakePortal, buildPage, buildProblem } from '../test/portal';
import { capabilities, buildProfile } from '../test/render';
import { createQueryClient } from '../components/queryClient';
import { Providers } from './Providers';
import { createPortalRouter } from './router';

/** Opens the whole portal at an address. */
async function openPortal(
  path: string,
  user: ReturnType<typeof buildProfile> | null = buildProfile(),
) {
  window.history.replaceState(null, '', path);
  let isAlive = true;
  installFakePortal({
    'POST /auth/jwt/refresh': () =>
      isAlive && user ? { token: 'token', user } : buildProblem(401, 'unauthenticated', ''),
    'GET /api/v2/orders/remote-operations': buildPage([]),
  });
  const session = new Session();
  await session.start();
  const bridge = new FakeBridge();
  const router = createPortalRouter();
  render(
    <Providers session={session} capabilities={capabilities} bridge={bridge} router={router} />,
  );
  const expire = async () => {
    isAlive = false;
    await session.renew();
  };
  return { router, expire, getPathname: () => router.state.location.pathname };
}

describe('Failed requests', () => {
  it('are retried up to twice for reads, but not for writes', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    const retry = queries?.retry as (count: number, error: Error) => boolean;
    expect([0, 1, 2].map((count) => retry(count, new ApiError(503)))).toEqual([true, true, false]);
    expect(retry(0, new ApiError(404))).toBe(false);
    expect(mutations?.retry).toBe(false);
  });
});

describe('An address', () => {
  it('that does not exist leads to the home screen', async () => {
    const { getPathname } = await openPortal('/secured/nowhere');
    expect(await screen.findByRole('heading', { name: 'Order Search' })).toBeVisible();
    expect(getPathname()).toBe('/secured/results/lab');
  });

  it.each([
    '/',
    '/secured/results/lab',
    '/secured/requisitions/create;id=12',
    '/secured/system/users',
    '/secured/nowhere',
  ])('leads to /login without a session: %s', async (path) => {
    const { getPathname } = await openPortal(path, null);
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(getPathname()).toBe('/login');
  });

  it('of the callback shows a loading indicator only', async () => {
    await openPortal('/auth-callback');
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeInTheDocument();
    expect(document.body.textContent).toBe('');
  });
});

describe('An expired session', () => {
  it('is announced, and then leads to /login', async () => {
    const { getPathname, expire } = await openPortal('/secured/results/lab');
    await screen.findByRole('heading', { name: 'Order Search' });
    await expire();
    expect(await screen.findByText(messages.SESSION_EXPIRED)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(getPathname()).toBe('/login');
  });
});
