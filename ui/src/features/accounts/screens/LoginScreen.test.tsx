import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { problem } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import { LoginScreen } from './LoginScreen';

const login = <LoginScreen home={() => '/secured/results/lab'} />;
const email = () => screen.getByRole('textbox', { name: /Email/ });
const password = () => screen.getByLabelText(/Password/);
const button = () => screen.getByRole('button', { name: 'Login' });

describe('The login screen', () => {
  it('greets with the lab and the prompt', async () => {
    await renderPortal(login, { user: null });
    expect(screen.getByRole('heading', { name: 'Lakeside Lab' })).toBeVisible();
    expect(screen.getByText('Use your credentials to login')).toBeVisible();
  });

  it('asks for an email and a password, and for a valid email', async () => {
    const { user, seen } = await renderPortal(login, { user: null });
    await user.click(button());
    expect(await screen.findByText('Email is required')).toBeVisible();
    expect(screen.getByText('Password is required')).toBeVisible();
    await user.type(email(), 'nobody');
    await user.click(button());
    expect(await screen.findByText('Email is invalid')).toBeVisible();
    expect(seen.filter((request) => request.path === '/auth/login')).toHaveLength(0);
  });

  it('says that email or password is wrong and empties the password', async () => {
    const { user } = await renderPortal(login, {
      user: null,
      answers: { 'POST /auth/login': problem(404, 'not_found', '') },
    });
    await user.type(email(), 'someone@demo.lab');
    await user.type(password(), 'wrong');
    await user.click(button());
    expect(await screen.findByText(messages.INCORRECT_CREDENTIALS)).toBeVisible();
    expect(password()).toHaveValue('');
  });

  it('signs in, keeps the refresh token out of the body, and goes home', async () => {
    const { user, seen, router } = await renderPortal(login, {
      user: null,
      answers: { 'POST /auth/login': { token: 'token', user: profile() } },
    });
    await user.type(email(), 'someone@demo.lab');
    await user.type(password(), 'Portal-2026!{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
    const request = seen.find(({ path }) => path === '/auth/login');
    expect(request?.headers.get('X-Refresh-Transport')).toBe('cookie');
    expect(request?.body).toEqual({
      loginId: 'someone@demo.lab',
      password: 'Portal-2026!',
      applicationId: 'portal',
    });
  });

  it('sends whoever is signed in straight on', async () => {
    const { router } = await renderPortal(login);
    expect(router.state.location.pathname).toBe('/secured/results/lab');
  });
});
