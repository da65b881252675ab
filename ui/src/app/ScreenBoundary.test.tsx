import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Session } from '../api';
import { FakeBridge } from '../device/fake';
import { installFakePortal, buildPage } from '../test/portal';
import { capabilities, buildProfile } from '../test/render';
import { Providers } from './Providers';
import { createPortalRouter } from './router';

const SECRET = 'LOPEZ is not a function';
const failure = vi.hoisted(() => ({ isActive: true }));

vi.mock('../features/results/screens/OrderResults', () => ({
  default: function Broken() {
    if (failure.isActive) throw new TypeError(SECRET);
    return <h1>Order Results</h1>;
  },
}));

/** Opens the whole portal and navigates from the order search to an order whose screen throws. */
async function openBrokenOrder() {
  window.history.replaceState(null, '', '/secured/results/lab');
  vi.spyOn(console, 'error').mockReturnValue();
  installFakePortal({
    'POST /auth/jwt/refresh': { token: 'token', user: buildProfile() },
    'GET /api/v2/orders/remote-operations': buildPage([]),
  });
  const session = new Session();
  await session.start();
  const router = createPortalRouter();
  render(
    <Providers
      session={session}
      capabilities={capabilities}
      bridge={new FakeBridge()}
      router={router}
    />,
  );
  await screen.findByRole('heading', { name: 'Order Search' });
  await router.navigate('/secured/results/order;id=1');
  return { router, alert: await screen.findByRole('alert') };
}

describe('A screen that throws', () => {
  beforeEach(() => {
    failure.isActive = true;
  });

  it('leaves the shell intact and shows nothing of the error', async () => {
    const { alert } = await openBrokenOrder();
    expect(screen.getByRole('heading', { name: 'This screen has failed' })).toHaveFocus();
    expect(alert).toBeVisible();
    expect(screen.getByRole('button', { name: /^User menu/ })).toBeEnabled();
    expect(document.body).not.toHaveTextContent(SECRET);
  });

  it('is left by Back', async () => {
    const { router } = await openBrokenOrder();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('heading', { name: 'Order Search' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/secured/results/lab');
  });

  it('is rendered again at the next visit', async () => {
    const { router } = await openBrokenOrder();
    failure.isActive = false;
    await router.navigate('/secured/results/order;id=2');
    expect(await screen.findByRole('heading', { name: 'Order Results' })).toBeVisible();
  });
});
