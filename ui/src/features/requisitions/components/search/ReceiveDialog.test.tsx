import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages, Role, say } from '../../../../contract';
import { buildProblem, type Answers, type SentRequest } from '../../../../test/portal';
import { buildProfile, renderPortal } from '../../../../test/render';
import { ReceiveDialog } from './ReceiveDialog';

const RECEIVE = 'POST /api/v2/requisitions/receive';
const IN_FUTURE = 'The collection time of R260000012 is in the future';
const receipt = {
  requisitionId: 12,
  requisitionCode: 'R260000012',
  collectionToCome: null,
  patientLastName: 'OKONKWO',
  patientFirstName: 'AISHA',
  orderId: 12,
  orderCode: 'L260000012',
  tubes: 1,
  tubesDue: 2,
  clientToCall: null,
};

/** Rejects the collection time unless it is accepted. */
const answerEarly = ({ body }: SentRequest) =>
  (body as { acceptsFuture: boolean }).acceptsFuture
    ? [receipt]
    : buildProblem(409, 'collection_to_come', IN_FUTURE);

async function renderDialog(answers: Answers) {
  const onClose = vi.fn();
  const onReceived = vi.fn();
  const view = await renderPortal(
    <ReceiveDialog
      requisition={{ id: 12, code: 'R260000012' }}
      onClose={onClose}
      onReceived={onReceived}
    />,
    {
      user: buildProfile(Role.LABORATORY),
      answers: {
        'GET /api/v2/requisitions/12/tubes': [
          { number: 1, container: 'Lavender Top', specimen: 'BLOOD' },
          { number: 2, container: 'Gold Top', specimen: 'BLOOD' },
        ],
        'GET /api/v2/reasons': [{ code: 'CLOTTED', words: 'Clotted' }],
        'GET /api/v2/collection-sites': [{ name: 'Home Collection' }],
        ...answers,
      },
    },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Receive R260000012' });
  return {
    ...view,
    dialog,
    onReceived,
    receive: () => view.user.click(within(dialog).getByRole('button', { name: 'Receive' })),
    listBodies: () =>
      view.requests
        .filter(({ method, path }) => `${method} ${path}` === RECEIVE)
        .map(({ body }) => body),
  };
}

describe('Receiving by tube', () => {
  it('rejects one tube only with a reason, and receives the other', async () => {
    const { user, dialog, receive, listBodies, onReceived } = await renderDialog({
      [RECEIVE]: [receipt],
    });
    await user.selectOptions(within(dialog).getByLabelText(/1 · Lavender Top/), 'Rejected');
    await receive();
    const reason = within(dialog).getByLabelText(/Reason for tube 1/);
    await waitFor(() => expect(reason).toBeInvalid());
    expect(listBodies()).toEqual([]);
    await user.selectOptions(reason, 'Clotted');
    await user.selectOptions(within(dialog).getByLabelText('Collection Site'), 'Home Collection');
    await receive();
    await screen.findByText('Received as order L260000012: 1 of 2 tubes.');
    expect(onReceived).toHaveBeenCalledOnce();
    expect(listBodies()).toEqual([
      {
        ids: [12],
        acceptsFuture: false,
        collectionSite: 'Home Collection',
        entryAlert: null,
        tubes: [
          expect.objectContaining({ number: 1, state: 'rejected', reason: 'CLOTTED' }),
          expect.objectContaining({ number: 2, state: 'received', reason: null }),
        ],
      },
    ]);
  });

  it('asks for a call where no e-mail notifies the client of a rejected tube', async () => {
    const clientToCall = { name: 'NORTH SHORE', phone: '3125550100' };
    const { user, receive, onReceived } = await renderDialog({
      [RECEIVE]: [{ ...receipt, clientToCall }],
    });
    await receive();
    const call = await screen.findByRole('dialog', { name: 'Call the client' });
    expect(call).toHaveTextContent(say(messages.CLIENT_TO_CALL, { client: 'NORTH SHORE' }));
    expect(call).toHaveTextContent('312-555-0100');
    expect(onReceived).not.toHaveBeenCalled();
    await user.click(within(call).getByRole('button', { name: 'OK' }));
    expect(onReceived).toHaveBeenCalledOnce();
  });

  it('asks about a collection time in the future, and keeps what was typed', async () => {
    const { user, dialog, receive, listBodies, onReceived } = await renderDialog({
      [RECEIVE]: answerEarly,
    });
    const alert = within(dialog).getByLabelText(/Entry Alert/);
    await user.type(alert, 'No diagnosis');
    await receive();
    const text = `${IN_FUTURE}. Receive anyway? This cannot be undone.`;
    const question = await screen.findByRole('dialog', { name: 'Mark Received' });
    expect(question).toHaveTextContent(text);
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(question).not.toBeInTheDocument());
    expect(alert).toHaveValue('No diagnosis');
    expect(onReceived).not.toHaveBeenCalled();

    await receive();
    const secondQuestion = await screen.findByRole('dialog', { name: 'Mark Received' });
    await user.click(within(secondQuestion).getByRole('button', { name: 'Receive' }));
    await waitFor(() => expect(onReceived).toHaveBeenCalledOnce());
    const earlyBody = { ids: [12], entryAlert: 'No diagnosis' };
    expect(listBodies()).toEqual([
      expect.objectContaining({ ...earlyBody, acceptsFuture: false }),
      expect.objectContaining({ ...earlyBody, acceptsFuture: false }),
      expect.objectContaining({ ...earlyBody, acceptsFuture: true }),
    ]);
  });
});
