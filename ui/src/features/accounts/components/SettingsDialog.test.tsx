import { screen, waitFor, within } from '@testing-library/react';
import { useState, type ComponentProps } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { messages } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import SettingsDialog from './SettingsDialog';

const profile = { ...buildProfile(), firstName: 'SAM', lastName: 'SOMEONE' };
const USER = `/auth/user/${profile.id}`;
const answerEmpty = () => new Response(null, { status: 204 });
const savingAnswers: Answers = {
  'POST /auth/login': { token: 'token', user: profile },
  [`PUT ${USER}`]: { user: profile },
  'POST /auth/user/change-password': answerEmpty,
  'POST /auth/logout': answerEmpty,
};

type Props = ComponentProps<typeof SettingsDialog>;

/** Closes the popup like the user menu. */
function Popup({ onClose, ...props }: Props) {
  const [isOpen, setIsOpen] = useState(true);
  const close = () => {
    onClose();
    setIsOpen(false);
  };
  return isOpen ? <SettingsDialog {...props} onClose={close} /> : null;
}

async function openDialog(answers: Answers = {}, user = profile) {
  const props = { isDark: false, setDark: vi.fn(), onClose: vi.fn() };
  const view = await renderPortal(<Popup {...props} />, {
    user,
    answers,
    path: '/secured/results/lab',
  });
  return { ...view, ...props };
}
const getField = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
const getButton = (name: string) => screen.getByRole('button', { name });

type OpenedDialog = Awaited<ReturnType<typeof openDialog>>;

async function fillAndSave({ user }: OpenedDialog) {
  await user.clear(getField('Last Name'));
  await user.type(getField('Last Name'), 'ELSE');
  await user.type(getField('Old Password'), 'Portal-2026!');
  await user.type(getField('New Password'), 'Another-Horse-2!');
  await user.click(getButton('Save'));
}

describe('The profile popup', () => {
  it('is titled Settings and shows the email, which cannot be changed', async () => {
    await openDialog();
    expect(screen.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    expect(getField('Email')).toHaveValue('someone@demo.lab');
    expect(getField('Email')).toHaveAttribute('readonly');
  });

  it('requires every field, and a valid new password', async () => {
    const { user, requests } = await openDialog();
    await user.clear(getField('Last Name'));
    await user.clear(getField('First Name'));
    await user.click(getButton('Save'));
    for (const name of ['Last Name', 'First Name', 'Old Password', 'New Password']) {
      expect(await screen.findByText(`${name} is required`)).toBeVisible();
    }
    await user.type(getField('New Password'), 'short');
    expect(await screen.findByText('The new password is invalid')).toBeVisible();
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('signs in again, updates the user, changes the password, and leads to sign-in', async () => {
    const view = await openDialog(savingAnswers);
    await fillAndSave(view);
    await waitFor(() => expect(view.router.state.location.pathname).toBe('/login'));
    const sentRequests = view.requests.filter(({ path }) =>
      ['/auth/login', USER, '/auth/user/change-password'].includes(path),
    );
    expect(sentRequests.map(({ body }) => body)).toEqual([
      { loginId: 'someone@demo.lab', password: 'Portal-2026!', applicationId: 'portal' },
      { user: { firstName: 'SAM', lastName: 'ELSE' } },
      {
        loginId: 'someone@demo.lab',
        currentPassword: 'Portal-2026!',
        password: 'Another-Horse-2!',
      },
    ]);
    expect(view.onClose).toHaveBeenCalled();
    expect(view.session.getState().status).toBe('signedOut');
    expect(await screen.findByText('The user information has been update.')).toBeVisible();
  });

  it('reports a wrong old password at its field and changes nothing', async () => {
    const view = await openDialog({
      ...savingAnswers,
      'POST /auth/login': () => buildProblem(404, 'incorrect_credentials', ''),
    });
    await fillAndSave(view);
    expect(await screen.findByText('Invalid password.')).toBeVisible();
    expect(view.requests.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('reports an update that failed, and stays open', async () => {
    const view = await openDialog({
      ...savingAnswers,
      [`PUT ${USER}`]: () => buildProblem(500, 'internal_error', ''),
    });
    await fillAndSave(view);
    expect(
      await screen.findByText('There was a problem updating the user information.'),
    ).toBeVisible();
    expect(view.onClose).not.toHaveBeenCalled();
  });

  it("shows the portal's objection to the new password at its field", async () => {
    const message = messages.NEW_PASSWORD_COMMON;
    const view = await openDialog({
      ...savingAnswers,
      'POST /auth/user/change-password': () =>
        buildProblem(400, 'validation_error', '', [{ field: 'password', message }]),
    });
    await fillAndSave(view);
    expect(await screen.findByText(message)).toBeVisible();
    expect(getField('New Password')).toHaveAccessibleDescription(message);
    expect(screen.queryByText('There was a problem updating the user information.')).toBeNull();
    await view.user.type(getField('New Password'), '3');
    expect(screen.queryByText(message)).toBeNull();
    expect(view.onClose).not.toHaveBeenCalled();
  });

  it('switches the dark mode without Save', async () => {
    const { user, setDark } = await openDialog();
    await user.click(screen.getByLabelText('Dark mode'));
    expect(setDark).toHaveBeenCalledWith(true);
  });

  it('asks for the code of people with a second factor', async () => {
    const view = await openDialog(savingAnswers, { ...profile, hasSecondFactor: true });
    await view.user.type(getField('Code'), '123456');
    await fillAndSave(view);
    await waitFor(() => expect(view.router.state.location.pathname).toBe('/login'));
    const login = view.requests.find(({ path }) => path === '/auth/login');
    expect(login?.body).toMatchObject({ code: '123456' });
  });

  it('removes the stored signature', async () => {
    const image = 'data:image/png;base64,AAAA';
    const storedProfile = { ...profile, data: { ...profile.data, signImage: image } };
    const { user, requests } = await openDialog(
      { [`PUT ${USER}`]: { user: profile } },
      storedProfile,
    );
    await user.click(getButton('Change signature'));
    const dialog = screen.getByRole('dialog', { name: 'Signature' });
    expect(within(dialog).getByRole('img', { name: 'Your signature' })).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Clear' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        user: { data: { signImage: null } },
      }),
    );
  });

  it('keeps the stored signature after an unusable file', async () => {
    const image = 'data:image/png;base64,AAAA';
    const storedProfile = { ...profile, data: { ...profile.data, signImage: image } };
    const { user, requests } = await openDialog({}, storedProfile);
    await user.click(getButton('Change signature'));
    const dialog = within(screen.getByRole('dialog', { name: 'Signature' }));
    const svg = new File(['<svg/>'], 'x.svg', { type: 'image/svg+xml' });
    await user.upload(dialog.getByLabelText('Signature image'), svg);
    expect(await dialog.findByText(/Only images allowed\./)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText(/Only images allowed\./)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Use stored image' }));
    expect(dialog.getByRole('img', { name: 'Your signature' })).toHaveAttribute('src', image);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Signature' })).toBeNull());
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
  });
});

const SESSIONS = [
  {
    id: 'a',
    device: 'Chrome on Windows',
    address: '10.0.0.1',
    signedInAt: '2026-11-20T10:00:00Z',
    lastUsedAt: '2026-11-20T11:00:00Z',
    isCurrent: true,
  },
  {
    id: 'b',
    device: 'Firefox on Linux',
    address: '10.0.0.2',
    signedInAt: '2026-11-20T08:00:00Z',
    lastUsedAt: '2026-11-20T09:30:00Z',
    isCurrent: false,
  },
];

describe('Open sessions', () => {
  it('name device, address, and last use, and mark the current one', async () => {
    const { user } = await openDialog({ 'GET /auth/sessions': SESSIONS });
    await user.click(getButton('Show sessions'));
    const [currentRow, otherRow] = (await screen.findAllByRole('row')).slice(1);
    expect(currentRow).toHaveTextContent(/Chrome on Windows.*This session/);
    expect(otherRow).toHaveTextContent('Firefox on Linux10.0.0.211/20/2026 09:30 AMSign out');
  });

  it('can be ended one by one, and all others at once', async () => {
    const { user, requests } = await openDialog({
      'GET /auth/sessions': SESSIONS,
      'DELETE /auth/sessions/b': answerEmpty,
      'DELETE /auth/sessions': answerEmpty,
    });
    await user.click(getButton('Show sessions'));
    await user.click(await screen.findByRole('button', { name: /^Sign out Firefox/ }));
    await waitFor(() =>
      expect(requests.some(({ path }) => path === '/auth/sessions/b')).toBe(true),
    );
    await user.click(getButton('Sign out all others'));
    await waitFor(() =>
      expect(
        requests.some(({ method, path }) => method === 'DELETE' && path === '/auth/sessions'),
      ).toBe(true),
    );
  });
});

describe('The second factor, turned off in the popup', () => {
  it('is no longer requested by the popup', async () => {
    let hasSecondFactor = true;
    const { user } = await openDialog(
      {
        'GET /auth/second-factor': { isOn: true, isRequired: false, recoveryCodesLeft: 7 },
        'POST /auth/jwt/refresh': () => ({
          user: { ...profile, hasSecondFactor },
          token: 'test-token',
        }),
        'POST /auth/second-factor/turn-off': () => {
          hasSecondFactor = false;
          return answerEmpty();
        },
      },
      { ...profile, hasSecondFactor },
    );
    await user.click(getButton('Change second factor'));
    const dialog = screen.getByRole('dialog', { name: 'Second factor' });
    await within(dialog).findByText('7 of 10 recovery codes are left.');
    await user.type(within(dialog).getByLabelText(/^Password/), 'Portal-2026!');
    await user.type(within(dialog).getByLabelText(/^Code/), '123456');
    await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByRole('button', { name: 'Set up second factor' })).toBeVisible();
    expect(screen.queryByLabelText(/^Code/)).toBeNull();
  });
});

describe('Ended sessions', () => {
  it('leave the keyboard in the dialog', async () => {
    let sessions = SESSIONS;
    const { user } = await openDialog({
      'GET /auth/sessions': () => sessions,
      'DELETE /auth/sessions/b': () => {
        sessions = SESSIONS.slice(0, 1);
        return answerEmpty();
      },
    });
    await user.click(getButton('Show sessions'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Open sessions' }));
    const button = await dialog.findByRole('button', { name: /^Sign out Firefox/ });
    // A dialog that is still opening would take the focus from the button.
    await waitFor(() =>
      expect(dialog.getAllByRole('button', { name: 'Close' }).at(-1)).toHaveFocus(),
    );
    await user.click(button);
    await waitFor(() => expect(screen.getByRole('table', { name: 'Open sessions' })).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Open sessions' })).toBeNull());
  });
});

describe('The second factor', () => {
  it('is set up with password, key, and code, and shows recovery codes once', async () => {
    const { user, requests } = await openDialog({
      'POST /auth/second-factor/setup': { key: 'JBSWY3DPEHPK3PXP', picture: 'data:image/svg+xml,' },
      'POST /auth/second-factor/confirm': { codes: ['abcd-efgh-jkmn-pqrs'] },
    });
    await user.click(getButton('Set up second factor'));
    const dialog = screen.getByRole('dialog', { name: 'Second factor' });
    await user.type(within(dialog).getByLabelText(/^Password/), 'Portal-2026!{Enter}');
    expect(await screen.findByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
    await user.type(screen.getByLabelText(/^Code/), '123456{Enter}');
    expect(await screen.findByText('abcd-efgh-jkmn-pqrs')).toBeVisible();
    expect(requests.find(({ path }) => path.endsWith('confirm'))?.body).toEqual({ code: '123456' });
    await user.click(getButton('Done'));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Second factor' })).toBeNull());
  });

  it('says which field was wrong', async () => {
    const { user } = await openDialog({
      'POST /auth/second-factor/setup': () =>
        buildProblem(400, 'bad_input', 'Invalid password.', [
          { field: 'password', message: 'Invalid password.' },
        ]),
    });
    await user.click(getButton('Set up second factor'));
    const dialog = screen.getByRole('dialog', { name: 'Second factor' });
    await user.type(within(dialog).getByLabelText(/^Password/), 'nope{Enter}');
    expect(await within(dialog).findByText('Invalid password.')).toBeVisible();
  });

  it('is turned off with password and code', async () => {
    const { user, requests } = await openDialog(
      {
        'GET /auth/second-factor': { isOn: true, isRequired: false, recoveryCodesLeft: 7 },
        'POST /auth/second-factor/turn-off': answerEmpty,
      },
      { ...profile, hasSecondFactor: true },
    );
    await user.click(getButton('Change second factor'));
    const dialog = screen.getByRole('dialog', { name: 'Second factor' });
    expect(await within(dialog).findByText('7 of 10 recovery codes are left.')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
    expect(await within(dialog).findByText('Code is required')).toBeVisible();
    await user.type(within(dialog).getByLabelText(/^Password/), 'Portal-2026!');
    await user.type(within(dialog).getByLabelText(/^Code/), '123 456');
    await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
    await waitFor(() =>
      expect(requests.find(({ path }) => path.endsWith('turn-off'))?.body).toEqual({
        password: 'Portal-2026!',
        code: '123 456',
      }),
    );
  });
});
