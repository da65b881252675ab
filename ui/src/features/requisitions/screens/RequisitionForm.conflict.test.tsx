import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { buildPage, buildProblem } from '../../../test/portal';
import {
  enterComment,
  findComments,
  renderForm,
  REQUISITION_PATH,
  listSaves,
} from '../../../test/requisitionForm';
import { complete, buildRequisition } from '../../../test/requisitions';

const getButton = (name: string) => screen.getByRole('button', { name });

describe('After somebody else saved first', () => {
  const createConflict = () => buildProblem(412, 'stale_version', '');

  it('the form shows the newer version and focuses the notice', async () => {
    let reads = 0;
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition(++reads === 1 ? {} : { version: 5, status: 4 }),
      [`POST ${REQUISITION_PATH}`]: createConflict,
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Save'));
    const notice = await screen.findByText(/received by the lab while you were editing/);
    const banner = notice.closest('[role="alert"]');
    expect(banner).toHaveFocus();
    expect(screen.getByText('Comments: Mine')).toBeVisible();
    expect(await screen.findByText(/is DONE and cannot be changed/)).toBeVisible();
    expect(getButton('Save')).toBeDisabled();
    await user.click(getButton('Use the newer version'));
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(await findComments()).not.toHaveTextContent('Mine');
  });

  it('the notice names this person, not somebody else, after a save in another window', async () => {
    let reads = 0;
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition(++reads === 1 ? {} : { version: 5, priority: 'STAT' }),
      [`POST ${REQUISITION_PATH}`]: () =>
        Response.json({ code: 'stale_version', updatedBy: 'Sam Someone' }, { status: 412 }),
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.VERSION_CONFLICT_OWN)).toBeVisible();
    expect(screen.getByText('Changed in another window and updated here: Priority.')).toBeVisible();
    expect(screen.getByText(messages.VERSION_CONFLICT_SAVE)).toBeVisible();
  });

  const receivedState = { version: 5, status: 4 };
  const getPriority = () => screen.getByRole('combobox', { name: 'Priority' });

  it('the user can only sign what is on screen', async () => {
    let reads = 0;
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () => buildRequisition(++reads === 1 ? {} : receivedState),
      [`POST ${REQUISITION_PATH}`]: createConflict,
    });
    await findComments();
    await user.selectOptions(getPriority(), 'STAT');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(/received by the lab while you were editing/)).toBeVisible();
    expect(screen.getByText('Priority: STAT')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Keep my changes' })).toBeNull();
    expect(getPriority()).toHaveValue('ROUTINE');
    await user.click(getButton('Sign'));
    await screen.findByRole('dialog', { name: 'Electronic Signature' });
    expect(listSaves(requests)).toHaveLength(1);
  });

  it('a requisition that could not be signed is reloaded, and can then be signed', async () => {
    const message = 'Requisition R260000012 changed since you opened it.';
    let [reads, signs] = [0, 0];
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition({
          ...complete,
          ...(++reads === 1 ? {} : { version: 5, priority: 'STAT' }),
        }),
      'POST /api/v2/requisitions/sign-multiple': () =>
        ++signs === 1
          ? Response.json(
              { code: 'stale_version', detail: message, updatedBy: 'Grace Colleague' },
              { status: 412 },
            )
          : { data: [{ id: 12, version: 6 }] },
    });
    const sign = async () => {
      await user.click(getButton('Sign'));
      const dialog = await screen.findByRole('dialog', { name: 'Electronic Signature' });
      await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
      await user.click(within(dialog).getByRole('button', { name: 'Sign' }));
    };
    await findComments();
    await sign();
    const savedBy = say(messages.VERSION_SAVED_BY, { name: 'Grace Colleague' });
    expect(await screen.findByText(`${message} ${savedBy}`)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(getPriority()).toHaveValue('STAT'));
    await sign();
    expect(await screen.findByText(messages.REQUISITION_SIGNED)).toBeVisible();
    const signRequests = requests.filter(({ path }) => path.endsWith('sign-multiple'));
    expect(signRequests.map(({ body }) => (body as { versions: unknown }).versions)).toEqual([
      { 12: 3 },
      { 12: 5 },
    ]);
  });

  it('a requisition canceled in the meantime is reloaded and cannot be signed', async () => {
    const message = 'Requisition R260000012 is CANCELED and cannot be changed';
    let reads = 0;
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition({ ...complete, ...(++reads === 1 ? {} : { version: 5, status: 2 }) }),
      'POST /api/v2/requisitions/sign-multiple': buildProblem(
        409,
        'requisition_read_only',
        message,
      ),
    });
    await findComments();
    await user.click(getButton('Sign'));
    const dialog = await screen.findByRole('dialog', { name: 'Electronic Signature' });
    await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
    await user.click(within(dialog).getByRole('button', { name: 'Sign' }));
    expect(await screen.findByText(message)).toBeVisible();
    await waitFor(() => expect(getButton('Save')).toBeDisabled());
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('a requisition that could not be canceled is reloaded, and the comment is kept', async () => {
    let [reads, cancels] = [0, 0];
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition(++reads === 1 ? {} : { version: 5, priority: 'STAT' }),
      [`POST ${REQUISITION_PATH}/cancel`]: () =>
        ++cancels === 1
          ? buildProblem(412, 'stale_version', messages.VERSION_STALE)
          : buildRequisition({ version: 6, status: 2 }),
    });
    const openCancelDialog = async () => {
      await user.click(getButton('Cancel Requisition'));
      return screen.findByRole('dialog', { name: 'Cancel Requisition' });
    };
    const confirm = (dialog: HTMLElement) =>
      user.click(within(dialog).getByRole('button', { name: 'Cancel Requisition' }));
    await findComments();
    const firstDialog = await openCancelDialog();
    await user.type(within(firstDialog).getByRole('textbox', { name: /Comment/ }), 'Twice');
    await confirm(firstDialog);
    expect(await screen.findByText(messages.VERSION_RELOADED)).toBeVisible();
    await waitFor(() => expect(getPriority()).toHaveValue('STAT'));
    const secondDialog = await openCancelDialog();
    expect(within(secondDialog).getByRole('textbox', { name: /Comment/ })).toHaveValue('Twice');
    await confirm(secondDialog);
    expect(await screen.findByText(messages.REQUISITION_CANCELED)).toBeVisible();
  });

  it('a form that is no longer editable shows the saved values, even after a background reload', async () => {
    let reads = 0;
    const { user, queries } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () => buildRequisition(++reads === 1 ? {} : receivedState),
    });
    await findComments();
    await user.selectOptions(getPriority(), 'STAT');
    void queries.invalidateQueries();
    expect(await screen.findByText('Priority: STAT')).toBeVisible();
    expect(getPriority()).toHaveValue('ROUTINE');
  });

  it('the fields that a signature leaves open can still be saved, and the others are named', async () => {
    let reads = 0;
    let tries = 0;
    const signature = { imageSignature: '', userName: 'Ada Tester', signedDateTime: '' };
    const signedRequisition = buildRequisition({ version: 5, hasSignature: true, signature });
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () => (++reads === 1 ? buildRequisition() : signedRequisition),
      [`POST ${REQUISITION_PATH}`]: () =>
        ++tries === 1
          ? createConflict()
          : { ...signedRequisition, version: 6, comments: '<p>Mine</p>' },
    });
    await enterComment(user, 'Mine');
    await user.selectOptions(getPriority(), 'STAT');
    await user.click(getButton('Save'));
    expect(await screen.findByText(/was signed by Ada Tester while you were/)).toBeVisible();
    expect(screen.getByText('Priority: STAT')).toBeVisible();
    expect(screen.getByText('Comments: Mine')).toBeVisible();
    expect(getPriority()).toHaveValue('ROUTINE');
    await user.click(getButton('Keep my changes'));
    expect(await findComments()).toHaveTextContent('Mine');
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const secondSave = listSaves(requests)[1];
    expect(secondSave?.headers.get('If-Match')).toBe('"5"');
    expect(secondSave?.body).toEqual({
      billTo: 'Client',
      comments: '<p>Mine</p>',
      additionalCopies: [],
    });
  });

  it('the medications of both are kept', async () => {
    let reads = 0;
    let tries = 0;
    const theirs = buildRequisition({ version: 5, medications: [{ name: 'WARFARIN' }] });
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () => (++reads === 1 ? buildRequisition() : theirs),
      [`POST ${REQUISITION_PATH}`]: () =>
        ++tries === 1 ? createConflict() : { ...theirs, version: 6 },
      'GET /api/v2/medications/remote-operations': buildPage([]),
    });
    await findComments();
    await user.type(screen.getByRole('combobox', { name: 'Medication' }), 'ASPIRIN{Enter}');
    await screen.findByText('ASPIRIN');
    await user.click(getButton('Save'));
    expect(await screen.findByText(/updated here: Medications\./)).toBeVisible();
    await user.click(getButton('Keep my changes'));
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(listSaves(requests)[1]?.body).toMatchObject({
      medications: [{ name: 'ASPIRIN' }, { name: 'WARFARIN' }],
    });
  });

  it('fields that both changed are listed with both values', async () => {
    let reads = 0;
    const theirs = buildRequisition({
      version: 5,
      priority: 'STAT',
      fasting: 2,
      collectionDate: '2026-03-28T08:35:00',
      comments: `<p>Theirs ${'is long '.repeat(20)}</p>`,
    });
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () => (++reads === 1 ? buildRequisition() : theirs),
      [`POST ${REQUISITION_PATH}`]: createConflict,
    });
    await enterComment(user, 'Mine');
    await user.selectOptions(getPriority(), 'RUSH');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Fasting' }), 'UNKNOWN');
    const date = screen.getByRole('textbox', { name: 'Collection Date' });
    await user.clear(date);
    await user.type(date, '03/29/2026');
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Save anyway' }));
    expect(await screen.findByText('Priority: STAT now, you entered RUSH')).toBeVisible();
    expect(screen.getByText('Fasting: NON FASTING now, you entered UNKNOWN')).toBeVisible();
    expect(
      screen.getByText('Collection Date: 03/28/2026 now, you entered 03/29/2026'),
    ).toBeVisible();
    const comments = screen.getByText(/^Comments: 'Theirs is long .*…' now, you entered 'Mine'$/);
    expect(comments.textContent.length).toBeLessThan(110);
  });

  it('the newer version can be signed', async () => {
    let reads = 0;
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition({ ...complete, ...(++reads === 1 ? {} : { version: 5 }) }),
      [`POST ${REQUISITION_PATH}`]: createConflict,
      'POST /api/v2/requisitions/sign-multiple': { data: [] },
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Use the newer version' }));
    await user.click(getButton('Sign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Electronic Signature' }));
    await user.type(dialog.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(dialog.getByRole('button', { name: 'Sign' }));
    await screen.findByText(messages.REQUISITION_SIGNED);
    const signRequest = requests.find(({ path }) => path.endsWith('sign-multiple'));
    expect(signRequest?.body).toMatchObject({ versions: { 12: 5 } });
  });

  it('the user is notified even if the newer version cannot be loaded', async () => {
    let reads = 0;
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        ++reads === 1 ? buildRequisition() : buildProblem(503, 'unavailable', ''),
      [`POST ${REQUISITION_PATH}`]: createConflict,
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Save'));
    const message = `${messages.VERSION_CONFLICT} ${messages.UNAVAILABLE}`;
    expect(await screen.findByText(message)).toBeVisible();
    expect(await findComments()).toHaveTextContent('Mine');
  });

  it.each([413, 429])(
    'an error without a sentence of the screen shows the text of the portal: %s',
    async (status) => {
      const { user } = await renderForm({
        [`POST ${REQUISITION_PATH}`]: buildProblem(status, 'rejected', 'Said why'),
      });
      await enterComment(user, 'Mine');
      await user.click(getButton('Save'));
      expect(await screen.findByText('Said why')).toBeVisible();
    },
  );
});
