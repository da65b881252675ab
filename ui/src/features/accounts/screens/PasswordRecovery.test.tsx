import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { paths } from '../../../lib/paths';
import { buildProblem } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import PasswordRecovery from './PasswordRecovery';

const FORGOT = 'POST /auth/user/forgot-password';
const RESET = 'POST /auth/user/reset-password';
const answerEmpty = () => new Response(null, { status: 204 });
const openScreen = (answers = {}, path = '/password-recovery') =>
  renderPortal(<PasswordRecovery />, { user: null, answers, path });
const openLink = (answers = {}) => openScreen(answers, '/password-recovery#token=s3cret');
const getEmail = () => screen.getByRole('textbox', { name: /Email/ });
const getPassword = () => screen.getByLabelText(/^New Password/);

describe('Password recovery', () => {
  it('requires a valid email', async () => {
    const { user, requests } = await openScreen();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Email is required')).toBeVisible();
    await user.type(getEmail(), 'nobody{Enter}');
    expect(await screen.findByText('Email is invalid')).toBeVisible();
    expect(requests.some(({ path }) => path.includes('forgot'))).toBe(false);
  });

  it('sends the link, and OK returns to sign-in', async () => {
    const { user, requests, router } = await openScreen({ [FORGOT]: answerEmpty });
    await user.type(getEmail(), 'ada@demo.lab{Enter}');
    expect(await screen.findByRole('dialog')).toHaveTextContent('valid for 10 minutes');
    expect(requests.find(({ path }) => path.includes('forgot'))?.body).toEqual({
      loginId: 'ada@demo.lab',
      applicationId: 'portal',
      sendForgotPasswordEmail: true,
    });
    await user.click(screen.getByRole('button', { name: 'OK' }));
    expect(router.state.location.pathname).toBe(paths.login);
  });

  it.each([
    [404, 'unknown_email', 'There is not any user registered with the introduced email'],
    [500, 'internal_error', 'We are having trouble to succeed your request!'],
    [424, 'recovery_not_configured', 'no mail server'],
  ])('explains the answer %s', async (status, code, sentence) => {
    const { user } = await openScreen({
      [FORGOT]: () => buildProblem(status, code, 'no mail server'),
    });
    await user.type(getEmail(), 'ada@demo.lab{Enter}');
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('goes back to sign-in', async () => {
    const { user, router } = await openScreen();
    await user.click(screen.getByRole('link', { name: 'Go back' }));
    expect(router.state.location.pathname).toBe(paths.login);
  });
});

describe('The page behind a mailed link', () => {
  it('removes the secret from the address', async () => {
    const { router } = await openLink();
    expect(getPassword()).toBeVisible();
    expect(router.state.location.hash).toBe('');
  });

  it('saves a valid password and leads to sign-in', async () => {
    const { user, requests, router } = await openLink({ [RESET]: answerEmpty });
    await user.type(getPassword(), 'short{Enter}');
    expect(await screen.findByText('The new password is invalid')).toBeVisible();
    await user.clear(getPassword());
    await user.type(getPassword(), 'Another-Horse-2!{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
    expect(requests.filter(({ path }) => path.includes('reset')).map(({ body }) => body)).toEqual([
      { changePasswordId: 's3cret', password: 'Another-Horse-2!' },
    ]);
  });

  it('shows and hides what is typed', async () => {
    const { user } = await openLink();
    await user.click(screen.getByRole('button', { name: 'Show New Password' }));
    expect(getPassword()).toHaveAttribute('type', 'text');
    await user.click(screen.getByRole('button', { name: 'Hide New Password' }));
    expect(getPassword()).toHaveAttribute('type', 'password');
  });

  it('explains a used or expired link, and offers a new one', async () => {
    const { user } = await openLink({
      [RESET]: () => buildProblem(404, 'recovery_link_invalid', messages.RECOVERY_LINK_INVALID),
    });
    await user.type(getPassword(), 'Another-Horse-2!{Enter}');
    expect(await screen.findByText(messages.RECOVERY_LINK_INVALID)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Request a new link' }));
    expect(await screen.findByText(messages.RECOVERY_TIPS)).toBeVisible();
  });

  it("shows the portal's objection at the field, and continues with another password", async () => {
    const message = messages.NEW_PASSWORD_PERSONAL;
    let answer = () => buildProblem(400, 'validation_error', '', [{ field: 'password', message }]);
    const { user, router } = await openLink({ [RESET]: () => answer() });
    await user.type(getPassword(), 'Summer-2026!{Enter}');
    expect(await screen.findByText(message)).toBeVisible();
    expect(getPassword()).toHaveAccessibleDescription(message);
    answer = answerEmpty;
    await user.clear(getPassword());
    await user.type(getPassword(), 'Another-Horse-2!{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
  });

  it('ends the session of a person who is signed in here', async () => {
    const { user, session } = await renderPortal(<PasswordRecovery />, {
      answers: { [RESET]: answerEmpty, 'POST /auth/logout': answerEmpty },
      path: '/password-recovery#token=s3cret',
    });
    await user.type(getPassword(), 'Another-Horse-2!{Enter}');
    await waitFor(() => expect(session.getState().status).toBe('signedOut'));
  });
});
