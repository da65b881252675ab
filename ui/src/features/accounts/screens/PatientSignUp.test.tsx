import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { paths } from '../../../lib/paths';
import { buildProblem } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import PatientSignUp from './PatientSignUp';

const PATH = '/api/system/anonymous-users/sign-up/portal';
const openScreen = (answers = {}) =>
  renderPortal(<PatientSignUp />, { user: null, answers, path: paths.patientSignUp });
type User = Awaited<ReturnType<typeof openScreen>>['user'];

async function fillAndSubmit(user: User) {
  for (const [name, text] of [
    [/^Last Name/, 'lee'],
    [/^First Name/, 'pat'],
    [/^Birth Date/, '03041961'],
    [/^Lab Patient ID/, 'p0000001'],
    [/^Email/, 'pat@demo.lab'],
  ] as const) {
    await user.type(screen.getByRole('textbox', { name }), text);
  }
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
}

describe('Patient sign up', () => {
  it('requires every field', async () => {
    const { user, requests } = await openScreen();
    await user.click(screen.getByRole('button', { name: 'Sign Up' }));
    for (const message of [
      'Last name is required',
      'First name is required',
      'Birth Date is required',
      'Lab Patient ID is required',
      'Email is required',
    ]) {
      expect(await screen.findByText(message)).toBeVisible();
    }
    expect(requests.some(({ path }) => path === PATH)).toBe(false);
  });

  it('repeats a request without an answer as the same request', async () => {
    let hasFailed = false;
    const { user, requests, router } = await openScreen({
      [`POST ${PATH}`]: () => {
        if (hasFailed) return { email: 'pat@demo.lab' };
        hasFailed = true;
        return Promise.reject(new TypeError('Failed to fetch'));
      },
    });
    await fillAndSubmit(user);
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Sign Up' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
    const sentRequests = requests.filter(({ path }) => path === PATH);
    const keys = sentRequests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('sends names in upper case, and leads to sign-in', async () => {
    const { user, requests, router } = await openScreen({
      [`POST ${PATH}`]: { email: 'pat@demo.lab' },
    });
    await fillAndSubmit(user);
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
    expect(await screen.findByText(messages.USER_NOTIFIED)).toBeVisible();
    expect(requests.find(({ path }) => path === PATH)?.body).toEqual({
      lastName: 'LEE',
      firstName: 'PAT',
      birthDate: '1961-03-04',
      code: 'P0000001',
      email: 'pat@demo.lab',
      registration: { applicationId: 'portal', roles: ['Patient'] },
    });
  });

  it.each([
    [404, 'No patient could be match in our database'],
    [409, 'Email in use'],
    [500, 'We are having trouble to succeed your request!'],
  ])('explains the answer %s', async (status, sentence) => {
    const { user } = await openScreen({
      [`POST ${PATH}`]: () => buildProblem(status, 'code', 'detail'),
    });
    await fillAndSubmit(user);
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('goes back to sign-in', async () => {
    const { user, router } = await openScreen();
    await user.click(screen.getByRole('link', { name: 'Go Back' }));
    expect(router.state.location.pathname).toBe(paths.login);
  });
});
