import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { findRememberedPath, rememberPath } from '../returnPath';
import { LoginScreen } from './LoginScreen';

const login = <LoginScreen getHome={() => '/secured/results/lab'} />;
const getEmail = () => screen.getByRole('textbox', { name: /Email/ });
const getPassword = () => screen.getByLabelText(/Password/);
const getLoginButton = () => screen.getByRole('button', { name: 'Login' });

describe('The login screen', () => {
  it('shows the lab and the prompt', async () => {
    await renderPortal(login, { user: null });
    expect(screen.getByRole('heading', { name: 'Lakeside Lab' })).toBeVisible();
    expect(screen.getByText('Use your credentials to login')).toBeVisible();
  });

  it('requires a valid email and a password', async () => {
    const { user, requests } = await renderPortal(login, { user: null });
    await user.click(getLoginButton());
    expect(await screen.findByText('Email is required')).toBeVisible();
    expect(screen.getByText('Password is required')).toBeVisible();
    await user.type(getEmail(), 'nobody');
    await user.click(getLoginButton());
    expect(await screen.findByText('Email is invalid')).toBeVisible();
    expect(requests.filter((request) => request.path === '/auth/login')).toHaveLength(0);
  });

  it('reports wrong credentials and clears the password', async () => {
    const { user } = await renderPortal(login, {
      user: null,
      answers: { 'POST /auth/login': buildProblem(404, 'not_found', '') },
    });
    await user.type(getEmail(), 'someone@demo.lab');
    await user.type(getPassword(), 'wrong');
    await user.click(getLoginButton());
    expect(await screen.findByText(messages.INCORRECT_CREDENTIALS)).toBeVisible();
    expect(getPassword()).toHaveValue('');
  });

  it('signs in, keeps the refresh token in a cookie, and goes to the home screen', async () => {
    const { user, requests, router } = await renderPortal(login, {
      user: null,
      answers: { 'POST /auth/login': { token: 'token', user: buildProfile() } },
    });
    await user.type(getEmail(), 'someone@demo.lab');
    await user.type(getPassword(), 'Portal-2026!{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
    const request = requests.find(({ path }) => path === '/auth/login');
    expect(request?.headers.get('X-Refresh-Transport')).toBe('cookie');
    expect(request?.body).toEqual({
      loginId: 'someone@demo.lab',
      password: 'Portal-2026!',
      applicationId: 'portal',
    });
  });

  it('returns to the address of an idle session, even after a reload of this page', async () => {
    rememberPath('/secured/patients/search', null);
    const { unmount } = await renderPortal(login, { user: null });
    unmount();
    const { user, router } = await renderPortal(login, {
      user: null,
      answers: { 'POST /auth/login': { token: 'token', user: buildProfile() } },
    });
    await user.type(getEmail(), 'someone@demo.lab');
    await user.type(getPassword(), 'Portal-2026!{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/patients/search'));
    expect(findRememberedPath()).toBeNull();
  });

  it('accepts a pasted password, as from a password manager', async () => {
    const { user, requests, router } = await renderPortal(login, {
      user: null,
      answers: { 'POST /auth/login': { token: 'token', user: buildProfile() } },
    });
    await user.type(getEmail(), 'someone@demo.lab');
    await user.click(getPassword());
    await user.paste('Portal-2026! with more words');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
    const request = requests.find(({ path }) => path === '/auth/login');
    expect(request?.body).toMatchObject({ password: 'Portal-2026! with more words' });
  });

  it('asks for the code of a second factor, and keeps the password', async () => {
    let calls = 0;
    const { user, requests, router } = await renderPortal(login, {
      user: null,
      answers: {
        'POST /auth/login': () => {
          calls += 1;
          if (calls === 1) return buildProblem(403, 'second_factor_required', 'Enter the code');
          if (calls === 2) return buildProblem(403, 'second_factor_invalid', 'Not valid');
          return { token: 'token', user: buildProfile() };
        },
      },
    });
    await user.type(getEmail(), 'someone@demo.lab');
    await user.type(getPassword(), 'Portal-2026!{Enter}');
    expect(await screen.findByText('Enter the code')).toBeVisible();
    const code = screen.getByLabelText(/^Code/);
    expect(code).toHaveFocus();
    await user.type(code, '111111{Enter}');
    expect(await screen.findByText('Not valid')).toBeVisible();
    expect(code).toHaveValue('');
    await user.type(code, '123456{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
    expect(requests.at(-1)?.body).toMatchObject({ password: 'Portal-2026!', code: '123456' });
  });

  it('leads to password recovery and to the sign-up of patients', async () => {
    await renderPortal(login, { user: null });
    expect(screen.getByRole('link', { name: "Can't login?" })).toHaveAttribute(
      'href',
      '/password-recovery',
    );
    expect(screen.getByRole('link', { name: 'Patient Sign Up' })).toHaveAttribute(
      'href',
      '/patient-sign-up',
    );
  });

  it('says above the fields that caps lock is on', async () => {
    const { user } = await renderPortal(login, { user: null });
    await user.type(getPassword(), '{CapsLock}a');
    expect(screen.getByRole('alert')).toHaveTextContent('Caps-lock is on');
    await user.type(getPassword(), '{CapsLock}a');
    expect(screen.queryByText('Caps-lock is on')).toBeNull();
  });

  it('redirects a signed-in user', async () => {
    const { router } = await renderPortal(login);
    expect(router.state.location.pathname).toBe('/secured/results/lab');
  });
});
