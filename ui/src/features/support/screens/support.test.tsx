import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import ContactUs from './ContactUs';
import SupplyRequest from './SupplyRequest';

const CONTACT = 'POST /api/system/contacts/email';
const SUPPLIES = 'POST /api/system/supplies/email';
const categories = [
  {
    id: 1,
    name: 'Tubes',
    supplies: [
      { id: 11, code: 'LAV', name: 'Lavender' },
      { id: 12, code: 'GOLD', name: 'Gold' },
    ],
  },
  { id: 2, name: 'Forms', supplies: [{ id: 21, code: 'LABEL', name: 'Label roll' }] },
];
const request = {
  id: 4,
  kind: 'contact',
  createdAt: '2026-11-25T10:00:00Z',
  status: 'sent',
  sentAt: '2026-11-25T10:00:05Z',
  reason: null,
  supplies: 0,
};
const baseAnswers: Answers = {
  'GET /api/system/support-requests': [],
  'GET /api/settings/supply-categories': categories,
  'GET /api/v2/clients/by-ids': [{ id: 1, code: 'C1', name: 'LAKE CLINIC' }],
  [CONTACT]: true,
  [SUPPLIES]: true,
};

const getField = (name: string | RegExp) => screen.getByRole('textbox', { name });
const getSendButton = () => screen.getByRole('button', { name: 'Send' });

afterEach(() => setScreenWidth(widths.desktop));

describe('Contact Us', () => {
  const openContact = async (answers: Answers = {}) => {
    const view = await renderPortal(<ContactUs />, { answers: { ...baseAnswers, ...answers } });
    await screen.findByRole('form', { name: 'Contact Us' });
    return view;
  };

  it('sends names in upper case and clears the form', async () => {
    const { user, requests } = await openContact();
    await user.clear(getField(/^Last name/));
    await user.type(getField(/^Last name/), 'tester');
    expect(getField(/^Last name/)).toHaveValue('TESTER');
    await user.type(getField('Phone'), '3125550100');
    await user.type(getField(/^Message/), 'Hello');
    await user.click(getSendButton());
    expect(await screen.findByText(messages.CONTACT_SENT)).toBeVisible();
    expect(requests.find(({ path }) => path.endsWith('contacts/email'))?.body).toEqual({
      name: 'SAM TESTER',
      email: 'someone@demo.lab',
      phone: '3125550100',
      message: 'Hello',
    });
    expect(getField(/^Message/)).toHaveValue('');
  });

  it('cannot be sent while a field is invalid', async () => {
    const { user } = await openContact();
    await waitFor(() => expect(getSendButton()).toBeDisabled());
    await user.type(getField(/^Message/), 'Hello');
    await waitFor(() => expect(getSendButton()).toBeEnabled());
    await user.clear(getField(/^Email/));
    await user.type(getField(/^Email/), 'nobody');
    await user.tab();
    expect(await screen.findByText(messages.EMAIL_INVALID)).toBeVisible();
    expect(getSendButton()).toBeDisabled();
  });

  it.each([
    ['false', false, messages.CONTACT_FAILED],
    ['424', buildProblem(424, 'x', 'x'), messages.CONTACT_NOT_CONFIGURED],
    ['500', buildProblem(500, 'x', 'x'), messages.SERVERS_TROUBLE],
    ['429', buildProblem(429, 'x', 'Too many attempts.'), 'Too many attempts.'],
  ])('explains the answer %s and keeps what was typed', async (_, answer, message) => {
    const { user } = await openContact({ [CONTACT]: () => answer });
    await user.type(getField(/^Message/), 'Hello');
    await waitFor(() => expect(getSendButton()).toBeEnabled());
    await user.click(getSendButton());
    expect(await screen.findByText(message)).toBeVisible();
    expect(getField(/^Message/)).toHaveValue('Hello');
  });

  it('shows the states of earlier requests', async () => {
    await openContact({
      'GET /api/system/support-requests': [
        request,
        { ...request, id: 3, status: 'failed', reason: messages.SEND_ADDRESS_REFUSED },
      ],
    });
    const list = within(await screen.findByRole('list', { name: 'My requests' }));
    expect(list.getByText('Sent')).toBeVisible();
    expect(list.getByText('Failed')).toBeVisible();
    expect(list.getByText(new RegExp(messages.SEND_ADDRESS_REFUSED))).toBeVisible();
  });
});

describe('Supply Request', () => {
  const openSupplies = async (answers: Answers = {}, role = Role.CLIENT_BASIC) => {
    const view = await renderPortal(<SupplyRequest />, {
      user: buildProfile(role),
      answers: { ...baseAnswers, ...answers },
    });
    await screen.findByRole('form', { name: 'Supply Request' });
    const typeMessage = async () => {
      await view.user.click(await screen.findByRole('textbox', { name: /^Message/ }));
      await view.user.keyboard('Soon');
    };
    const findSentRequest = () => view.requests.find(({ path }) => path.endsWith('supplies/email'));
    return { ...view, typeMessage, findSentRequest };
  };

  it('sends only supplies with a quantity and a unit', async () => {
    const { user, typeMessage, findSentRequest } = await openSupplies();
    await typeMessage();
    await user.type(getField('Quantity of Lavender'), '2x');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Config of Lavender' }), 'Box');
    await user.type(getField('Comment on Lavender'), 'cold');
    await user.click(getSendButton());
    expect(await screen.findByText(messages.CONTACT_SENT)).toBeVisible();
    expect(findSentRequest()?.body).toMatchObject({
      name: 'SAM SOMEONE',
      client: 'LAKE CLINIC',
      supplies: [{ id: 1, supplies: [{ id: 11, quantity: 2, config: 'Box', comment: 'cold' }] }],
    });
    expect(getField('Quantity of Lavender')).toHaveValue('');
  });

  it('asks for what a supply lacks before it sends, even in a closed category', async () => {
    const { user, typeMessage, findSentRequest } = await openSupplies();
    await typeMessage();
    const getConfig = () => screen.getByRole('combobox', { name: 'Config of Label roll' });
    await user.click(screen.getByRole('button', { name: 'Forms' }));
    await user.type(getField('Quantity of Label roll'), '3');
    expect(getConfig()).toHaveAccessibleDescription(messages.SUPPLY_INCOMPLETE);
    await user.click(screen.getByRole('button', { name: 'Forms' }));
    await user.click(getSendButton());
    await waitFor(() => expect(getConfig()).toHaveFocus());
    expect(findSentRequest()).toBeUndefined();
    await user.selectOptions(getConfig(), 'Case');
    expect(screen.queryByText(messages.SUPPLY_INCOMPLETE)).toBeNull();
    await user.click(getSendButton());
    expect(await screen.findByText(messages.CONTACT_SENT)).toBeVisible();
  });

  it.each([
    ['Quantity of Gold', '0'],
    ['Comment on Gold', 'urgent'],
  ])('asks to complete a row with only %s', async (name, text) => {
    const { user, typeMessage, findSentRequest } = await openSupplies();
    await typeMessage();
    await user.type(getField(name), text);
    await user.click(getSendButton());
    await waitFor(() => expect(getField('Quantity of Gold')).toHaveFocus());
    expect(findSentRequest()).toBeUndefined();
  });

  it('offers Count, Box and Case', async () => {
    await openSupplies();
    const units = within(screen.getByRole('combobox', { name: 'Config of Gold' }));
    expect(units.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      '',
      'Count',
      'Box',
      'Case',
    ]);
  });

  it('requires a client and a message', async () => {
    const { user, findSentRequest } = await openSupplies(
      { 'GET /api/v2/clients/by-ids': [] },
      Role.CLIENT_BASIC,
    );
    await user.click(getSendButton());
    expect(await screen.findByText('Client is required')).toBeVisible();
    expect(screen.getByText(messages.MESSAGE_REQUIRED)).toBeVisible();
    expect(findSentRequest()).toBeUndefined();
  });

  it.each([
    ['false', false, messages.SUPPLY_FAILED],
    ['424', buildProblem(424, 'not_configured', 'x'), messages.NOT_CONFIGURED],
    ['500', buildProblem(500, 'internal_error', 'x'), messages.SERVERS_TROUBLE],
  ])('explains the answer %s and keeps what was typed', async (_, answer, message) => {
    const { user, typeMessage } = await openSupplies({ [SUPPLIES]: () => answer });
    await typeMessage();
    await user.click(getSendButton());
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByRole('textbox', { name: /^Message/ })).not.toHaveTextContent(/^$/);
  });

  it.each([
    ['desktop', ['Code', 'Name', 'Quantity', 'Config', 'Comment'], true],
    ['tablet', ['Code', 'Name', 'Quantity', 'Config', 'Comment'], false],
    ['phone', ['Name', 'Quantity', 'Config', 'Comment'], false],
  ] as const)('shows the columns of a %s', async (width, titles, hasComments) => {
    setScreenWidth(widths[width]);
    const { user } = await openSupplies();
    const table = within(screen.getByRole('table', { name: 'Supplies of Tubes' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
      titles,
    );
    if (!hasComments) {
      expect(screen.queryByRole('textbox', { name: 'Comment on Gold' })).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Comment on Gold: show' }));
    }
    expect(screen.getByRole('textbox', { name: 'Comment on Gold' })).toBeVisible();
  });

  it('opens and closes categories', async () => {
    const { user } = await openSupplies();
    expect(screen.queryByRole('table', { name: 'Supplies of Forms' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Forms' }));
    expect(screen.getByRole('table', { name: 'Supplies of Forms' })).toBeVisible();
  });
});
