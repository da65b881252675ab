import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { ApiError, Session } from '../api';
import { messages } from '../contract';
import { FakeBridge } from '../device/fake';
import { fakePortal, page, problem } from '../test/portal';
import { capabilities, profile } from '../test/render';
import { createQueryClient } from '../components/queryClient';
import { Providers } from './Providers';
import { createPortalRouter } from './router';

/** The whole portal at an address. */
async function open(path: string, user: ReturnType<typeof profile> | null = profile()) {
  window.history.replaceState(null, '', path);
  let alive = true;
  fakePortal({
    'POST /auth/jwt/refresh': () =>
      alive && user ? { token: 'token', user } : problem(401, 'unauthenticated', ''),
    'GET /api/v2/orders/remote-operations': page([]),
  });
  const session = new Session();
  await session.start();
  const bridge = new FakeBridge();
  const router = createPortalRouter();
  render(<Providers {...{ session, capabilities, bridge, router }} />);
  const expire = async () => {
    alive = false;
    await session.renew();
  };
  return { router, expire, where: () => router.state.location.pathname };
}

describe('Reads', () => {
  it('are tried again up to twice when the portal did not answer; writes are not', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    const retry = queries?.retry as (count: number, error: Error) => boolean;
    expect([0, 1, 2].map((count) => retry(count, new ApiError(503)))).toEqual([true, true, false]);
    expect(retry(0, new ApiError(404))).toBe(false);
    expect(mutations?.retry).toBe(false);
  });
});

describe('Addresses', () => {
  it('that are none lead home', async () => {
    const { where } = await open('/secured/nowhere');
    expect(await screen.findByRole('heading', { name: 'Order Search' })).toBeVisible();
    expect(where()).toBe('/secured/results/lab');
  });

  it('lead to /login before anybody has signed in', async () => {
    const { where } = await open('/', null);
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(where()).toBe('/login');
  });
});

describe('An expired session', () => {
  it('is said, and then leads to /login', async () => {
    const { where, expire } = await open('/secured/results/lab');
    await screen.findByRole('heading', { name: 'Order Search' });
    await expire();
    expect(await screen.findByText(messages.SESSION_EXPIRED)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(where()).toBe('/login');
  });
});
