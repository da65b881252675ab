import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages, say } from '../../../contract';
import { buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { completeOrder, FORM, orderTest, renderForm } from '../../../test/requisitionForm';
import { validateDocument } from '../../../components/documents/documentFiles';

const DOCUMENTS_PATH = '/api/v2/requisitions/13/documents';
const scan = { id: 6, name: 'scan.pdf' };
const createFile = (name = 'scan.pdf', size = 10) =>
  new File([new Uint8Array(size)], name, { type: 'application/pdf', lastModified: 1 });
const renderNew = (answers: Answers = {}) =>
  renderForm(
    {
      [`GET ${DOCUMENTS_PATH}`]: [],
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
    `${FORM};patientId=7`,
  );
const chooseFile = async (user: UserEvent, file = createFile()) =>
  user.upload(await screen.findByLabelText('Document', { selector: 'input' }), file);
const getButton = (name: string) => screen.getByRole('button', { name });
const listUploads = (requests: readonly SentRequest[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path === DOCUMENTS_PATH);
const closeDoneDialog = async (user: UserEvent) => {
  const dialog = await screen.findByRole('dialog', { name: 'Requisition Saved' });
  const [close] = within(dialog).getAllByRole('button', { name: 'Close' });
  if (close) await user.click(close);
};

describe('Documents of a new requisition', () => {
  it('wait for the first save, and are then uploaded once each', async () => {
    const storedDocuments: { id: number; name: string }[] = [];
    const { user, requests } = await renderNew({
      [`GET ${DOCUMENTS_PATH}`]: () => [...storedDocuments],
      [`POST ${DOCUMENTS_PATH}`]: (request: SentRequest) => {
        const { fileName } = request.body as { fileName: string };
        storedDocuments.push({ id: storedDocuments.length + 1, name: fileName });
        return storedDocuments.at(-1);
      },
    });
    await chooseFile(user);
    await chooseFile(user, createFile('card.png', 20));
    expect(screen.getAllByText(messages.DOCUMENT_ADDED_WHEN_SAVED)).toHaveLength(2);
    await completeOrder(user);
    expect(listUploads(requests)).toHaveLength(0);
    await user.click(getButton('Save'));
    await closeDoneDialog(user);
    expect(await screen.findByRole('button', { name: 'scan.pdf' })).toBeVisible();
    expect(await screen.findByRole('button', { name: 'card.png' })).toBeVisible();
    expect(screen.queryByText(messages.DOCUMENT_ADDED_WHEN_SAVED)).toBeNull();
    expect(listUploads(requests).map(({ body }) => body)).toMatchObject([
      { id: 13, fileName: 'scan.pdf' },
      { id: 13, fileName: 'card.png' },
    ]);
  });

  it('are listed once, and a file that is chosen again is named', async () => {
    const { user } = await renderNew();
    await chooseFile(user);
    await chooseFile(user);
    const text = say(messages.ALREADY_LISTED, { name: 'scan.pdf' });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Remove scan.pdf' })).toHaveLength(1);
  });

  it('can be removed before the save', async () => {
    const { user, requests } = await renderNew();
    await chooseFile(user);
    await user.click(getButton('Remove scan.pdf'));
    expect(screen.queryByText('scan.pdf')).toBeNull();
    await completeOrder(user);
    await user.click(getButton('Save'));
    await closeDoneDialog(user);
    expect(listUploads(requests)).toHaveLength(0);
  });

  it('say which files were uploaded and which were not', async () => {
    const { user } = await renderNew({
      [`POST ${DOCUMENTS_PATH}`]: ({ body }: { body?: unknown }) =>
        (body as { fileName: string }).fileName === 'second.pdf'
          ? buildProblem(503, 'unavailable', 'The portal is busy')
          : scan,
      [`GET ${DOCUMENTS_PATH}`]: [scan],
    });
    for (const name of ['scan.pdf', 'second.pdf', 'third.pdf'])
      await chooseFile(user, createFile(name));
    await completeOrder(user);
    await user.click(getButton('Save'));
    const uploadedText = `${messages.FILE_UPLOADED}: scan.pdf, third.pdf`;
    expect(await screen.findByText(uploadedText)).toBeVisible();
    expect(screen.getByText(`${messages.UPLOAD_FAILED}: second.pdf`)).toBeVisible();
  });

  it('stay when the upload fails, and the saved requisition gets them with Try again', async () => {
    let uploads = 0;
    const { user, requests, router } = await renderNew({
      [`POST ${DOCUMENTS_PATH}`]: () =>
        ++uploads === 1 ? buildProblem(503, 'unavailable', 'The portal is busy') : scan,
      [`GET ${DOCUMENTS_PATH}`]: () => (uploads > 1 ? [scan] : []),
    });
    await chooseFile(user);
    await completeOrder(user);
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.DOCUMENTS_NOT_UPLOADED)).toBeVisible();
    expect(screen.getAllByText(messages.UPLOAD_FAILED)[0]).toBeVisible();
    await closeDoneDialog(user);
    expect(router.state.location.pathname).toBe(`${FORM};id=13`);
    expect(await screen.findByText('The portal is busy')).toBeVisible();

    void router.navigate(FORM);
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Cancel'));
    await user.click(getButton('Try again to upload scan.pdf'));
    expect(await screen.findByRole('button', { name: 'scan.pdf' })).toBeVisible();
    expect(screen.queryByText('The portal is busy')).toBeNull();
    const keys = listUploads(requests).map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    const saves = requests.filter(
      ({ method, path }) => method === 'POST' && path === '/api/v2/requisitions',
    );
    expect(saves).toHaveLength(1);
    void router.navigate(FORM);
    await screen.findByRole('heading', { name: 'New Requisition' });
  });

  it('that are too large can only be removed, and do not count as unsaved', async () => {
    const { user, router } = await renderNew();
    await chooseFile(user, createFile('scan.pdf', limits.UPLOAD_MAX_BYTES + 1));
    // The toast says it, and the row with the advice.
    expect(await screen.findAllByText(messages.FILE_TOO_BIG)).toHaveLength(2);
    expect(screen.getByText(messages.FILE_TOO_BIG_ADVICE)).toBeVisible();
    expect(screen.queryByText(messages.DOCUMENT_ADDED_WHEN_SAVED)).toBeNull();
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
    await act(() => router.navigate('/'));
    expect(screen.queryByText(messages.UNSAVED_CHANGES)).toBeNull();
  });

  it('that the portal rejects can only be removed', async () => {
    const { user } = await renderNew({
      [`POST ${DOCUMENTS_PATH}`]: buildProblem(415, 'wrong_kind', 'This is not a PDF'),
      [`GET ${DOCUMENTS_PATH}`]: [],
    });
    await chooseFile(user);
    await completeOrder(user);
    await user.click(getButton('Save'));
    await closeDoneDialog(user);
    const row = await screen.findByRole('alert');
    expect(row).toHaveTextContent('This is not a PDF');
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
    await user.click(getButton('Remove scan.pdf'));
    await waitFor(() => expect(row).not.toBeInTheDocument());
  });

  it('count as unsaved', async () => {
    const { user, router } = await renderNew();
    await chooseFile(user);
    void router.navigate(FORM);
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Cancel'));
    expect(screen.getByText('scan.pdf')).toBeVisible();
    await user.click(getButton('Clear'));
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Continue'));
    await waitFor(() => expect(screen.queryByText('scan.pdf')).toBeNull());
    expect(screen.getByText('No documents')).toBeVisible();
  });

  it('are named in a question before the patient is edited, whose draft stays', async () => {
    const draft = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';
    vi.spyOn(crypto, 'randomUUID').mockReturnValue(draft);
    const { user, router, requests } = await renderNew({
      [`PUT /api/v2/requisitions/drafts/${draft}`]: { id: draft },
      'GET /api/v2/requisitions/drafts': [],
    });
    const editDetails = async () => {
      await user.click(getButton('Edit Patient'));
      const current = await screen.findByRole('region', { name: 'Current patient' });
      await user.click(within(current).getByRole('button', { name: 'Edit details' }));
      const question = await screen.findByRole('dialog', { name: 'Edit Patient' });
      expect(within(question).getByText(messages.DOCUMENTS_WOULD_BE_LOST)).toBeInTheDocument();
      return within(question);
    };
    await chooseFile(user);
    await orderTest(user);
    await user.click((await editDetails()).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('scan.pdf')).toBeInTheDocument();
    expect(getButton('Remove Thyroid')).toBeInTheDocument();
    await user.click((await editDetails()).getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(router.state.location.pathname).toContain('patients'));
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(false);
  });
});

describe('A chosen document', () => {
  it('has one of the kinds and at most the size that the portal accepts', () => {
    expect(validateDocument(createFile('SCAN.PDF'))).toBeNull();
    expect(validateDocument(createFile('notes.docx'))).toEqual({
      message: messages.DOCUMENT_KINDS_ONLY,
      advice: messages.DOCUMENT_KINDS_ADVICE,
    });
    expect(validateDocument(createFile('scan.pdf', 0))).toEqual({
      message: messages.FILE_EMPTY,
      advice: null,
    });
    const tooLarge = createFile('scan.pdf', limits.UPLOAD_MAX_BYTES + 1);
    expect(validateDocument(tooLarge)).toEqual({
      message: messages.FILE_TOO_BIG,
      advice: messages.FILE_TOO_BIG_ADVICE,
    });
  });
});
