import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { LeavingScreen, leaveAndReturn } from '../../../test/leaving';
import { buildPage, buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import Users from './Users';

const PATH = '/api/system/users';
const ID = '7b0e6a52-5f0e-4b8c-9d0a-0d2f6e6f0009';
const allowed = { allowed: true, reason: null as string | null };
const row = {
  id: ID,
  number: 7,
  version: 3,
  email: 'wanda@demo.lab',
  lastName: 'WALKER',
  firstName: 'WANDA',
  lastLoginInstant: null as string | null,
  role: Role.CLIENT_BASIC as string,
  active: true,
  isGiven: true,
  isWithin: true,
  isSelf: false,
};
const wanda = {
  ...row,
  username: 'wanda12345',
  registrations: [{ applicationId: 'portal', roles: [Role.CLIENT_BASIC] }],
  data: { clients: [1, 2], physicians: [], patients: [] },
  clients: [
    { id: 1, code: 'C1', name: 'LAKE CARE', isLocked: false },
    { id: 2, code: 'C2', name: 'HILL CARE', isLocked: true },
  ],
  physicians: [],
  patients: [],
  canChange: allowed,
  canChangeAccess: allowed,
  canChangeRole: allowed,
  canChangeEmail: allowed,
  canDelete: allowed,
  canInvite: allowed,
};
const client = { id: 3, code: 'C3', name: 'DALE CARE', webAccess: true };
const buildEmptyResponse = (status: number) => new Response(null, { status });

function openScreen(answers: Answers = {}, role: Role = Role.SUPERUSER, rows = [row]) {
  const element = (
    <LeavingScreen>
      <Users />
    </LeavingScreen>
  );
  return renderPortal(element, {
    user: buildProfile(role),
    answers: {
      'GET /api/system/application': {
        roles: [Role.CLIENT_ADMIN, Role.CLIENT_BASIC],
        givenRoles: [Role.CLIENT_BASIC, Role.PATIENT],
      },
      [`GET ${PATH}`]: buildPage(rows),
      [`GET ${PATH}/${ID}`]: wanda,
      'GET /api/v2/clients/remote-operations': buildPage([client]),
      ...answers,
    },
  });
}

describe('The list of users', () => {
  it('shows Never before the first sign-in, and later the time in words', async () => {
    await openScreen({}, Role.SUPERUSER, [
      row,
      { ...row, id: 'other', number: 8, lastLoginInstant: '2026-03-09T14:05:00+00:00' },
    ]);
    expect(await screen.findByText('Never')).toBeVisible();
    expect(screen.getByText('March 9, 2026 02:05 PM')).toBeVisible();
  });

  it('shows users who are not active only on demand', async () => {
    const deletedUser = { ...row, id: 'gone', number: 8, email: 'gone@demo.lab', active: false };
    const { user } = await openScreen({
      [`GET ${PATH}`]: ({ query }: SentRequest) =>
        buildPage(query.get('active') === 'true' ? [row] : [row, deletedUser]),
    });
    expect(await screen.findByText('wanda@demo.lab')).toBeVisible();
    expect(screen.queryByText('gone@demo.lab')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Show inactive' }));
    expect(await screen.findByText('gone@demo.lab')).toBeVisible();
  });

  it('still shows users who are not active when the user comes back', async () => {
    const view = await openScreen();
    await view.user.click(await screen.findByRole('checkbox', { name: 'Show inactive' }));
    await leaveAndReturn(view);
    expect(await screen.findByRole('checkbox', { name: 'Show inactive' })).toBeChecked();
  });

  it('asks before it deletes a user, with the version', async () => {
    const { user, requests } = await openScreen({
      [`DELETE ${PATH}/${ID}`]: () => buildEmptyResponse(204),
    });
    await user.click(await screen.findByRole('button', { name: 'Delete WALKER, WANDA' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete User' });
    expect(dialog).toHaveTextContent(messages.USER_DELETION);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => {
      const sentRequest = requests.find(({ method }) => method === 'DELETE');
      expect(sentRequest?.headers.get('If-Match')).toBe('"3"');
    });
  });

  it('has the columns of the specification, and filters by role in the header', async () => {
    const { user, requests } = await openScreen();
    const names = (await screen.findAllByRole('columnheader'))
      .map(({ textContent }) => textContent)
      .filter(Boolean);
    expect(names.slice(0, 6)).toEqual([
      'Email',
      'Last Name',
      'First Name',
      'Last Login',
      'Role',
      'Actions',
    ]);
    const filter = screen.getByRole('combobox', { name: 'Filter Role' });
    await within(filter).findByRole('option', { name: 'Client Basic' });
    await user.selectOptions(filter, 'Client Basic');
    await waitFor(() =>
      expect(requests.map(({ query }) => query.get('role'))).toContain('Client Basic'),
    );
  });

  it('sends the notification again', async () => {
    const { user } = await openScreen({ [`POST ${PATH}/${ID}/notification`]: wanda });
    await user.click(await screen.findByRole('button', { name: 'Resend WALKER, WANDA' }));
    expect(
      await screen.findByText('A notification has been sent to email wanda@demo.lab'),
    ).toBeVisible();
  });

  it('says why a Client Admin cannot delete a user of other clients', async () => {
    await openScreen({}, Role.CLIENT_ADMIN, [{ ...row, isWithin: false }]);
    const button = await screen.findByRole('button', { name: 'Delete WALKER, WANDA' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAttribute('title', messages.USER_OF_OTHERS);
    expect(screen.getByRole('button', { name: 'Edit WALKER, WANDA' })).toBeEnabled();
  });
});

describe('The form of a new user', () => {
  async function openNew(answers: Answers = {}, role?: Role) {
    const portal = await openScreen(answers, role);
    await portal.user.click(await screen.findByRole('button', { name: 'Add' }));
    const dialog = await screen.findByRole('dialog', { name: 'User Form' });
    return { ...portal, dialog };
  }

  it.each([
    ['phone', '90vw', '300px'],
    ['desktop', '580px', '500px'],
  ] as const)('has the sizes of the specification on a %s', async (screenWidth, form, picker) => {
    setScreenWidth(widths[screenWidth]);
    const { user, dialog } = await openNew();
    expect(dialog).toHaveStyle({ width: form, maxHeight: '90vh' });
    const role = within(dialog).getByRole('combobox', { name: /^Role/ });
    await within(role).findByRole('option', { name: 'Client Basic' });
    await user.selectOptions(role, 'Client Basic');
    await user.click(within(dialog).getByRole('tab', { name: 'Clients' }));
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(await screen.findByRole('dialog', { name: 'Add Clients' })).toHaveStyle({
      width: picker,
    });
  });

  it('names what is missing', async () => {
    const { user, dialog } = await openNew();
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    for (const message of [
      messages.EMAIL_REQUIRED,
      messages.LAST_NAME_REQUIRED,
      messages.USER_FIRST_NAME_REQUIRED,
      messages.USER_ROLE_REQUIRED,
    ]) {
      expect(await within(dialog).findByText(message)).toBeVisible();
    }
  });

  it('offers only the roles that the user may give', async () => {
    const { dialog } = await openNew({}, Role.CLIENT_ADMIN);
    const role = within(dialog).getByRole('combobox', { name: /^Role/ });
    await waitFor(() => {
      const names = within(role)
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
      expect(names).toEqual(['Select a role', 'Client Basic', 'Patient']);
    });
  });

  it('asks for a client, adds one, and creates the user', async () => {
    const { user, dialog, requests } = await openNew({ [`POST ${PATH}`]: wanda });
    await user.type(within(dialog).getByRole('textbox', { name: /^Email/ }), 'wanda@demo.lab');
    await user.type(within(dialog).getByRole('textbox', { name: /^Last Name/ }), 'walker');
    await user.type(within(dialog).getByRole('textbox', { name: /^First Name/ }), 'wanda');
    const role = within(dialog).getByRole('combobox', { name: /^Role/ });
    await within(role).findByRole('option', { name: 'Client Basic' });
    await user.selectOptions(role, 'Client Basic');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText(messages.USER_CLIENT_REQUIRED)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Add' })).toHaveFocus();

    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    const picker = await screen.findByRole('dialog', { name: 'Add Clients' });
    const clientRequests = requests.filter(
      ({ path }) => path === '/api/v2/clients/remote-operations',
    );
    expect(clientRequests.map(({ query }) => query.get('take'))).toEqual(['10']);
    await user.click(await within(picker).findByRole('checkbox', { name: /C3/ }));
    await user.click(within(picker).getByRole('button', { name: 'Add' }));
    expect(await within(dialog).findByText('DALE CARE')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(messages.USER_NOTIFIED)).toBeVisible();
    const sentRequest = requests.find(({ method, path }) => method === 'POST' && path === PATH);
    expect(sentRequest?.body).toMatchObject({
      lastName: 'WALKER',
      role: 'Client Basic',
      data: { clients: [3] },
      registration: { applicationId: 'portal', roles: ['Client Basic'] },
    });
  });

  it('shows an email in use at its field', async () => {
    const { user, dialog } = await openNew({
      [`POST ${PATH}`]: buildProblem(409, 'email_in_use', 'Email in use', [
        { field: 'email', message: 'Email in use' },
      ]),
    });
    await user.type(within(dialog).getByRole('textbox', { name: /^Email/ }), 'a@demo.lab');
    await user.type(within(dialog).getByRole('textbox', { name: /^Last Name/ }), 'a');
    await user.type(within(dialog).getByRole('textbox', { name: /^First Name/ }), 'b');
    const role = within(dialog).getByRole('combobox', { name: /^Role/ });
    await within(role).findByRole('option', { name: 'Patient' });
    await user.selectOptions(role, 'Client Basic');
    await user.click(within(dialog).getByRole('tab', { name: 'Clients' }));
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    const picker = await screen.findByRole('dialog', { name: 'Add Clients' });
    await user.click(await within(picker).findByRole('checkbox', { name: /C3/ }));
    await user.click(within(picker).getByRole('button', { name: 'Add' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('Email in use')).toBeVisible();
  });
});

describe('The form of a user', () => {
  async function openUser(values: Partial<typeof wanda> = {}) {
    const portal = await openScreen({
      [`GET ${PATH}/${ID}`]: { ...wanda, ...values },
      [`PUT ${PATH}/${ID}`]: { ...wanda, version: 4 },
    });
    await portal.user.click(await screen.findByRole('button', { name: 'Edit WALKER, WANDA' }));
    const dialog = await screen.findByRole('dialog', { name: 'User Form' });
    await within(dialog).findByRole('tab', { name: 'Clients' });
    return { ...portal, dialog };
  }

  it('never removes a locked client', async () => {
    const { user, dialog, requests } = await openUser();
    await user.click(within(dialog).getByRole('tab', { name: 'Clients' }));
    await user.click(within(dialog).getByRole('checkbox', { name: 'Select all: Clients' }));
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(within(dialog).queryByText('LAKE CARE')).toBeNull();
    expect(within(dialog).getByText('HILL CARE')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(messages.USER_UPDATED)).toBeVisible();
    const sentRequest = requests.find(({ method }) => method === 'PUT');
    expect(sentRequest?.headers.get('If-Match')).toBe('"3"');
    expect(sentRequest?.body).toMatchObject({ data: { clients: [2] } });
  });

  it("locks the user's own role, email, and assignments", async () => {
    const denied = { allowed: false, reason: messages.USER_SELF };
    const { user, dialog } = await openUser({
      canChangeAccess: denied,
      canChangeRole: denied,
      canChangeEmail: denied,
    });
    expect(within(dialog).getByRole('textbox', { name: /^Email/ })).toBeDisabled();
    expect(within(dialog).getByRole('combobox', { name: /^Role/ })).toBeDisabled();
    expect(within(dialog).getByText(messages.USER_SELF)).toBeVisible();
    await user.click(within(dialog).getByRole('tab', { name: 'Clients' }));
    expect(within(dialog).getByRole('button', { name: 'Add' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });
});
