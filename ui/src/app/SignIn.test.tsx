import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../contract';
import { renderPortal } from '../test/render';
import { SignIn } from './SignIn';

const portal = { address: 'https://portal.example', cause: null, problem: null, advice: null };

const renderSignIn = (keepsCredentials: boolean, fixedBy: string | null = null) =>
  renderPortal(<SignIn />, {
    user: null,
    capabilities: { host: 'desktop', keepsCredentials, portal },
    answers: { 'GET /device/portals': { current: portal.address, fixedBy, portals: [] } },
  });

describe('Sign-in in the desktop app', () => {
  it('says that the sign-in is not stored', async () => {
    await renderSignIn(false);
    expect(await screen.findByText(messages.CREDENTIALS_NOT_STORED)).toBeVisible();
  });

  it('says which portal it is, and can change to another', async () => {
    const { user } = await renderSignIn(true);
    expect(await screen.findByText(/Portal: https:\/\/portal.example/)).toBeVisible();
    expect(screen.queryByText(messages.CREDENTIALS_NOT_STORED)).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Use another portal' }));
    expect(await screen.findByRole('heading', { name: 'Which portal?' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  });

  it('says which setting chose the portal', async () => {
    await renderSignIn(true, '/etc/lab-portal/desktop.json');
    expect(await screen.findByText(/set by \/etc\/lab-portal\/desktop.json/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Use another portal' })).toBeNull();
  });

  it('does not show the portal in a browser', async () => {
    await renderPortal(<SignIn />, { user: null });
    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
    expect(screen.queryByText(/Portal: /)).toBeNull();
  });
});
