import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { Content, SendKind } from '../api';
import { SendFormsDialog } from './SendFormsDialog';

const SEND = 'POST /api/v2/requisitions/transmission';
const ACCEPTED_TRANSMISSION = { id: 1, status: 'queued', recipients: [] };

async function renderDialog(
  kind: SendKind,
  answers: Answers = {},
  props: { ids?: readonly number[]; content?: Content } = {},
) {
  const onClose = vi.fn();
  const view = await renderPortal(
    <SendFormsDialog kind={kind} ids={[12, 13]} onClose={onClose} {...props} />,
    { answers },
  );
  const listSendRequests = () => view.requests.filter(({ path }) => path.endsWith('/transmission'));
  return { ...view, onClose, listSendRequests };
}

const getField = () => screen.getByRole('textbox');
const getSendButton = () => screen.getByRole('button', { name: 'Send' });

describe('Email Forms and Fax Forms', () => {
  it.each([
    ['EMAIL', 'Email Forms', 'Email'],
    ['FAX', 'Fax Forms', 'Fax'],
  ] as const)('%s: is 300 by 150, with Close and Send', async (kind, title, label) => {
    await renderDialog(kind, {}, { ids: [12] });
    const dialog = screen.getByRole('dialog', { name: title });
    expect(limits.DIALOG_SEND_PX).toEqual([300, 150]);
    expect(dialog).toHaveStyle({ width: '300px', height: '150px' });
    expect(screen.getByRole('textbox', { name: new RegExp(label) })).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0);
    expect(getSendButton()).toBeEnabled();
  });

  it.each([
    ['EMAIL', 'forms', 2, 'Email Forms of 2 Requisitions'],
    ['FAX', 'results', 1_000, 'Fax Results of 1,000 Orders'],
    ['FAX', 'results', 1, 'Fax Results'],
  ] as const)('%s %s: says that %i are sent', async (kind, content, count, title) => {
    await renderDialog(kind, {}, { ids: Array.from({ length: count }, (_, id) => id), content });
    expect(screen.getByRole('dialog', { name: title })).toBeVisible();
  });

  it.each([
    ['EMAIL', '', 'Email is required'],
    ['EMAIL', 'office', 'Email is invalid'],
    ['EMAIL', 'a@b.example, c@d.example', 'Email is invalid'],
    ['FAX', '', 'Fax is required'],
    ['FAX', 'letters', 'Fax is required'],
    ['FAX', '312555', 'Fax is invalid'],
  ] as const)('%s %j: %s, and nothing is sent', async (kind, typedText, message) => {
    const { user, listSendRequests, onClose } = await renderDialog(kind);
    if (typedText) await user.type(getField(), typedText);
    await user.click(getSendButton());
    expect(await screen.findByText(message)).toBeVisible();
    expect(listSendRequests()).toEqual([]);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('sends one e-mail for all requisitions on Enter', async () => {
    const { user, listSendRequests, onClose } = await renderDialog('EMAIL', {
      [SEND]: ACCEPTED_TRANSMISSION,
    });
    await user.type(getField(), ' office@clinic.example {Enter}');
    expect(await screen.findByText('The email was sent successfully')).toBeVisible();
    expect(onClose).toHaveBeenCalled();
    const [request] = listSendRequests();
    expect(request?.body).toEqual({
      ids: [12, 13],
      type: 'EMAIL',
      value: 'office@clinic.example',
    });
    expect(request?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('masks the fax number', async () => {
    const { user, listSendRequests } = await renderDialog('FAX', { [SEND]: ACCEPTED_TRANSMISSION });
    await user.type(getField(), '312x5550199');
    expect(getField()).toHaveValue('312-555-0199');
    await user.click(getSendButton());
    expect(await screen.findByText('The fax was sent successfully')).toBeVisible();
    expect(listSendRequests()[0]?.body).toMatchObject({ type: 'FAX', value: '312-555-0199' });
  });

  it('shows in the dialog that the lab has not configured sending', async () => {
    const message = messages.FAX_NOT_CONFIGURED;
    const { user, onClose } = await renderDialog('FAX', {
      [SEND]: buildProblem(424, 'sending_not_configured', message),
    });
    await user.type(getField(), '3125550199');
    await user.click(getSendButton());
    expect(await screen.findByText(message)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
    expect(getField()).toHaveValue('312-555-0199');
  });

  it('names the requisition that prevents sending', async () => {
    const message = 'Requisition R260000001 is CANCELED and cannot be sent';
    const { user } = await renderDialog('EMAIL', {
      [SEND]: buildProblem(409, 'requisition_not_sendable', message),
    });
    await user.type(getField(), 'office@clinic.example{Enter}');
    expect(await screen.findByText(message)).toBeVisible();
  });

  it.each([
    ['no answer', () => Promise.reject(new TypeError('gone'))],
    ['500', buildProblem(500, 'internal_error', 'Oops')],
    ['503', buildProblem(503, 'unavailable', 'later')],
  ])(
    '%s: reports the trouble, keeps the text, and repeats the request with the same key',
    async (_, answer) => {
      const { user, listSendRequests, onClose } = await renderDialog('EMAIL', { [SEND]: answer });
      await user.type(getField(), 'office@clinic.example{Enter}');
      expect(
        await screen.findByText('We are having trouble communicating with our servers!'),
      ).toBeVisible();
      expect(onClose).not.toHaveBeenCalled();
      expect(getField()).toHaveValue('office@clinic.example');
      await user.click(getSendButton());
      await waitFor(() => expect(listSendRequests()).toHaveLength(2));
      const [first, second] = listSendRequests().map(({ headers }) =>
        headers.get('Idempotency-Key'),
      );
      expect(second).toBe(first);
      await user.type(getField(), '.org{Enter}');
      await waitFor(() => expect(listSendRequests()).toHaveLength(3));
      expect(listSendRequests()[2]?.headers.get('Idempotency-Key')).not.toBe(first);
    },
  );
});
