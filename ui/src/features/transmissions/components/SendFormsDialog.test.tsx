import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages } from '../../../contract';
import { problem, type Answers } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { SendKind } from '../api';
import { SendFormsDialog } from './SendFormsDialog';

const SEND = 'POST /api/v2/requisitions/transmission';
const ACCEPTED = { id: 1, status: 'queued', recipients: [] };

async function open(kind: SendKind, answers: Answers = {}) {
  const onClose = vi.fn();
  const view = await renderPortal(
    <SendFormsDialog kind={kind} ids={[12, 13]} onClose={onClose} />,
    { answers },
  );
  const sent = () => view.seen.filter(({ path }) => path.endsWith('/transmission'));
  return { ...view, onClose, sent };
}

const field = () => screen.getByRole('textbox');
const send = () => screen.getByRole('button', { name: 'Send' });

describe('Email Forms and Fax Forms', () => {
  it.each([
    ['EMAIL', 'Email Forms', 'Email'],
    ['FAX', 'Fax Forms', 'Fax'],
  ] as const)('%s: is 300 by 150, with Close and Send', async (kind, title, label) => {
    await open(kind);
    const dialog = screen.getByRole('dialog', { name: title });
    expect(limits.DIALOG_SEND_PX).toEqual([300, 150]);
    expect(dialog).toHaveStyle({ width: '300px', height: '150px' });
    expect(screen.getByRole('textbox', { name: new RegExp(label) })).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0);
    expect(send()).toBeEnabled();
  });

  it.each([
    ['EMAIL', '', 'Email is required'],
    ['EMAIL', 'office', 'Email is invalid'],
    ['EMAIL', 'a@b.example, c@d.example', 'Email is invalid'],
    ['FAX', '', 'Fax is required'],
    ['FAX', 'letters', 'Fax is required'],
    ['FAX', '312555', 'Fax is invalid'],
  ] as const)('%s %j: %s, and nothing is sent', async (kind, typed, words) => {
    const { user, sent, onClose } = await open(kind);
    if (typed) await user.type(field(), typed);
    await user.click(send());
    expect(await screen.findByText(words)).toBeVisible();
    expect(sent()).toEqual([]);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('sends one e-mail for all, on Enter', async () => {
    const { user, sent, onClose } = await open('EMAIL', { [SEND]: ACCEPTED });
    await user.type(field(), ' office@clinic.example {Enter}');
    expect(await screen.findByText('The email was sent successfully')).toBeVisible();
    expect(onClose).toHaveBeenCalled();
    const [request] = sent();
    expect(request?.body).toEqual({
      ids: [12, 13],
      type: 'EMAIL',
      value: 'office@clinic.example',
    });
    expect(request?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('masks the fax number', async () => {
    const { user, sent } = await open('FAX', { [SEND]: ACCEPTED });
    await user.type(field(), '312x5550199');
    expect(field()).toHaveValue('312-555-0199');
    await user.click(send());
    expect(await screen.findByText('The fax was sent successfully')).toBeVisible();
    expect(sent()[0]?.body).toMatchObject({ type: 'FAX', value: '312-555-0199' });
  });

  it('says in the dialog that the lab has not configured it', async () => {
    const words = messages.FAX_NOT_CONFIGURED;
    const { user, onClose } = await open('FAX', {
      [SEND]: problem(424, 'sending_not_configured', words),
    });
    await user.type(field(), '3125550199');
    await user.click(send());
    expect(await screen.findByText(words)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
    expect(field()).toHaveValue('312-555-0199');
  });

  it('names the requisition that stopped it', async () => {
    const words = 'Requisition R260000001 is CANCELED and cannot be sent';
    const { user } = await open('EMAIL', {
      [SEND]: problem(409, 'requisition_not_sendable', words),
    });
    await user.type(field(), 'office@clinic.example{Enter}');
    expect(await screen.findByText(words)).toBeVisible();
  });

  it.each([
    ['no answer', () => Promise.reject(new TypeError('gone'))],
    ['500', problem(500, 'internal_error', 'Oops')],
    ['503', problem(503, 'unavailable', 'later')],
  ])('%s: tells of trouble, keeps what was typed, and repeats the same wish', async (_, answer) => {
    const { user, sent, onClose } = await open('EMAIL', { [SEND]: answer });
    await user.type(field(), 'office@clinic.example{Enter}');
    expect(
      await screen.findByText('We are having trouble communicating with our servers!'),
    ).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
    expect(field()).toHaveValue('office@clinic.example');
    await user.click(send());
    await waitFor(() => expect(sent()).toHaveLength(2));
    const [first, second] = sent().map(({ headers }) => headers.get('Idempotency-Key'));
    expect(second).toBe(first);
    await user.type(field(), '.org{Enter}');
    await waitFor(() => expect(sent()).toHaveLength(3));
    expect(sent()[2]?.headers.get('Idempotency-Key')).not.toBe(first);
  });
});
