import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, OrderStatus, Role, say } from '../../../contract';
import { shownOrder as order } from '../../../test/orders';
import { buildProfile, renderPortal } from '../../../test/render';
import OrderResults from './OrderResults';

const transmission = {
  id: 7,
  subject: 'results',
  requisitionIds: [12],
  orderIds: [12],
  type: 'FAX',
  destination: '312-555-0199',
  status: 'delivered',
  attempts: 1,
  lastError: null,
  createdAt: '2026-03-09T14:05:00+00:00',
  nextTryAt: null,
  sentAt: null,
  deliveredAt: '2026-03-09T14:06:00+00:00',
  sentBy: 'Ada Tester',
};
const earlierRecipients = {
  correctedAt: '2026-03-10T09:00:00',
  withheld: null as 'review' | 'withdrawn' | null,
  tests: ['GLUCOSE'],
  recipients: [
    {
      name: '312-555-0199',
      role: null,
      act: 'send',
      at: '2026-03-09T14:05:00+00:00',
      type: 'FAX',
      destination: '312-555-0199',
      hasCurrent: false,
      currentStatus: null as 'queued' | 'sending' | null,
    },
    {
      name: 'Nia Nurse',
      role: 'Client Basic',
      act: 'read',
      at: '2026-03-09T13:05:00+00:00',
      type: null,
      destination: null,
      hasCurrent: true,
      currentStatus: null,
    },
  ],
};

function renderOrder(role: Role, answers: Record<string, unknown> = {}) {
  return renderPortal(<OrderResults />, {
    user: buildProfile(role),
    parameters: { id: '12' },
    answers: {
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': [],
      'GET /api/v2/orders/12/earlier-recipients': earlierRecipients,
      'GET /api/v2/orders/transmissions': [],
      'POST /api/v2/orders/transmission': { id: 1, status: 'queued', recipients: [] },
      ...answers,
    },
  });
}

describe('Sending results', () => {
  it.each([Role.CLIENT_ADMIN, Role.PHYSICIAN, Role.PATIENT, Role.LABORATORY])(
    'offers the actions of the specification to %s',
    async (role) => {
      await renderOrder(role);
      const toolbar = await screen.findByRole('toolbar', { name: 'L260000012 actions' });
      for (const name of ['Cumulative Results', 'Email Results', 'Fax Results', 'Print Results']) {
        expect(within(toolbar).getByRole('button', { name })).toBeEnabled();
      }
    },
  );

  it('sends an e-mail', async () => {
    const { user, requests } = await renderOrder(Role.CLIENT_BASIC);
    await user.click(await screen.findByRole('button', { name: 'Email Results' }));
    const dialog = screen.getByRole('dialog', { name: 'Email Results' });
    expect(dialog).toHaveStyle({ width: '300px', height: '150px' });
    await user.type(within(dialog).getByRole('textbox'), 'office@clinic.example{Enter}');
    expect(await screen.findByText('The email was sent successfully')).toBeVisible();
    expect(requests.find(({ path }) => path.endsWith('/transmission'))?.body).toEqual({
      ids: [12],
      type: 'EMAIL',
      value: 'office@clinic.example',
    });
  });

  it('says why an order without results cannot be sent', async () => {
    await renderOrder(Role.CLIENT_BASIC, {
      'GET /api/v2/orders/12': { ...order, status: OrderStatus.PENDING },
    });
    const button = await screen.findByRole('button', { name: 'Fax Results' });
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute(
      'title',
      say(messages.ORDER_NOTHING_TO_SEND, { code: 'L260000012' }),
    );
  });

  it('shows the recipients', async () => {
    await renderOrder(Role.CLIENT_BASIC, { 'GET /api/v2/orders/transmissions': [transmission] });
    const section = await screen.findByRole('region', { name: 'Sent Results' });
    expect(await within(section).findByText('Delivered')).toBeVisible();
    expect(section).toHaveTextContent('312-555-0199');
  });

  it('shows a new recipient even if the earlier recipients were still being loaded', async () => {
    let recipients: (typeof transmission)[] = [];
    let answerFirst: () => void = () => undefined;
    const firstAnswer = new Promise<[]>((resolve) => (answerFirst = () => resolve([])));
    let loads = 0;
    const { user } = await renderOrder(Role.CLIENT_BASIC, {
      'GET /api/v2/orders/transmissions': () => (++loads === 1 ? firstAnswer : recipients),
      'POST /api/v2/orders/transmission': () => {
        recipients = [transmission];
        return { id: 3, count: 1 };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Email Results' }));
    await user.type(screen.getByRole('textbox'), 'office@clinic.example{Enter}');
    expect(await screen.findByText('The email was sent successfully')).toBeVisible();
    answerFirst();
    expect(await screen.findByRole('region', { name: 'Sent Results' })).toBeVisible();
  });

  it('says that it could not load the recipients, and does not try again', async () => {
    const { requests } = await renderOrder(Role.CLIENT_BASIC, {
      'GET /api/v2/orders/transmissions': () => Promise.reject(new TypeError('gone')),
    });
    const section = await screen.findByRole('region', { name: 'Sent Results' });
    const countCalls = () => requests.filter(({ path }) => path.endsWith('transmissions')).length;
    const countBefore = countCalls();
    expect(section).not.toHaveTextContent('Delivered');
    await screen.findByRole('button', { name: 'Email Results' });
    expect(countCalls()).toBe(countBefore);
  });

  it('offers the lab to send corrected results', async () => {
    const { user, requests } = await renderOrder(Role.LABORATORY);
    const notice = await screen.findByRole('region', { name: 'Corrected results' });
    expect(notice).toHaveTextContent('GLUCOSE: corrected on');
    expect(notice).toHaveTextContent('Nia Nurse (Client Basic)');
    expect(notice).toHaveTextContent(messages.CORRECTION_HAS_CURRENT);
    await user.click(screen.getByRole('button', { name: 'Send again to 312-555-0199' }));
    const dialog = screen.getByRole('dialog', { name: 'Send Corrected Results' });
    expect(within(dialog).getByRole('textbox')).toHaveValue('312-555-0199');
    await user.click(within(dialog).getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(requests.find(({ path }) => path.endsWith('/transmission'))?.body).toEqual({
        ids: [12],
        type: 'FAX',
        value: '312-555-0199',
        isCorrection: true,
      }),
    );
  });

  it.each([
    ['queued', messages.CORRECTION_QUEUED],
    ['sending', messages.CORRECTION_SENDING],
  ] as const)(
    'says that current results are %s, and offers no second copy',
    async (status, text) => {
      const [first, ...others] = earlierRecipients.recipients;
      const { user } = await renderOrder(Role.LABORATORY, {
        'GET /api/v2/orders/12/earlier-recipients': {
          ...earlierRecipients,
          recipients: [{ ...first, currentStatus: status }, ...others],
        },
      });
      const notice = within(await screen.findByRole('region', { name: 'Corrected results' }));
      const [row] = notice.getAllByRole('listitem');
      expect(row).toHaveTextContent(text);
      expect(row).not.toHaveTextContent(messages.CORRECTION_HAS_CURRENT);
      expect(notice.queryByRole('button', { name: /^Send again/ })).toBeNull();
      await user.click(notice.getByRole('button', { name: 'Fax Corrected Results' }));
      const dialog = screen.getByRole('dialog', { name: 'Send Corrected Results' });
      expect(within(dialog).getByRole('textbox')).toHaveValue('');
    },
  );

  it('says at once that a recipient is being sent the current results', async () => {
    const [first, ...others] = earlierRecipients.recipients;
    let currentStatus: 'queued' | null = null;
    const { user } = await renderOrder(Role.LABORATORY, {
      'GET /api/v2/orders/12/earlier-recipients': () => ({
        ...earlierRecipients,
        recipients: [{ ...first, currentStatus }, ...others],
      }),
      'POST /api/v2/orders/transmission': () => {
        currentStatus = 'queued';
        return { id: 1, status: 'queued', recipients: [] };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Send again to 312-555-0199' }));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText(messages.CORRECTION_QUEUED)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send again to 312-555-0199' })).toBeNull();
  });

  it('says who may have received results of a transmission that failed', async () => {
    const [first] = earlierRecipients.recipients;
    await renderOrder(Role.LABORATORY, {
      'GET /api/v2/orders/12/earlier-recipients': {
        ...earlierRecipients,
        recipients: [{ ...first, act: 'may-receive' }],
      },
    });
    const notice = await screen.findByRole('region', { name: 'Corrected results' });
    expect(within(notice).getByRole('listitem')).toHaveTextContent('may have received');
    expect(
      within(notice).getByRole('button', { name: 'Send again to 312-555-0199' }),
    ).toBeEnabled();
  });

  it('shows the lab who received withdrawn results, and offers no empty correction', async () => {
    await renderOrder(Role.LABORATORY, {
      'GET /api/v2/orders/12': { ...order, status: OrderStatus.UNRELEASED },
      'GET /api/v2/orders/12/earlier-recipients': { ...earlierRecipients, withheld: 'withdrawn' },
    });
    const notice = await screen.findByRole('region', { name: 'Withheld results' });
    expect(notice).toHaveTextContent('GLUCOSE: withdrawn on');
    expect(notice).toHaveTextContent('Nia Nurse (Client Basic)');
    expect(within(notice).queryByRole('button')).toBeNull();
  });

  it.each([
    ['Email Corrected Results', ''],
    ['Fax Corrected Results', '312-555-0199'],
  ])('begins %s with the recipient of the earlier ones', async (name, destination) => {
    const { user } = await renderOrder(Role.LABORATORY);
    await user.click(await screen.findByRole('button', { name }));
    const dialog = screen.getByRole('dialog', { name: 'Send Corrected Results' });
    expect(within(dialog).getByRole('textbox')).toHaveValue(destination);
  });

  it.each([Role.CLIENT_ADMIN, Role.PHYSICIAN, Role.PATIENT])(
    'does not show %s who received earlier results',
    async (role) => {
      const { requests } = await renderOrder(role);
      await screen.findByRole('button', { name: 'Email Results' });
      expect(requests.some(({ path }) => path.endsWith('earlier-recipients'))).toBe(false);
    },
  );
});
