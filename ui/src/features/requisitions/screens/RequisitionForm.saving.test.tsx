import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import {
  enterComment,
  findComments,
  renderForm,
  FORM,
  REQUISITION_PATH,
  completeOrder,
  listSaves,
} from '../../../test/requisitionForm';
import { buildRequisition } from '../../../test/requisitions';
import { passTime } from '../../../test/timers';

const getButton = (name: string) => screen.getByRole('button', { name });

/** Creates a response that waits for `release`. */
function createDelayed<Answer>(answer: Answer) {
  let resolve: (value: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((done) => (resolve = done));
  return { answer: () => promise, release: () => resolve(answer) };
}

/** Renders a new requisition whose first save is answered after a comment was typed. */
async function typeDuringFirstSave() {
  const savedRequisition = buildRequisition({ id: 13, code: 'R260000013' });
  const save = createDelayed(savedRequisition);
  const view = await renderForm(
    { 'POST /api/v2/requisitions': save.answer, 'GET /api/v2/requisitions/13': savedRequisition },
    `${FORM};patientId=7`,
  );
  await completeOrder(view.user);
  await view.user.click(getButton('Save'));
  await waitFor(() =>
    expect(view.requests.some(({ path }) => path === '/api/v2/requisitions')).toBe(true),
  );
  await enterComment(view.user, 'Late');
  save.release();
  return view;
}

describe('Typing during a save', () => {
  it('keeps the edits, unsaved, on top of the saved values', async () => {
    let isFirst = true;
    const save = createDelayed(buildRequisition({ version: 4, comments: '<p>One</p>' }));
    const { user, requests, router } = await renderForm({
      [`POST ${REQUISITION_PATH}`]: () => {
        if (!isFirst) return buildRequisition({ version: 5, comments: '<p>OneTwo</p>' });
        isFirst = false;
        return save.answer();
      },
    });
    await enterComment(user, 'One');
    await user.click(getButton('Save'));
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    await enterComment(user, 'Two');
    expect(await findComments()).toHaveTextContent('Two');
    save.release();
    await screen.findByText(messages.REQUISITION_SAVED);
    await passTime(50);
    expect(await findComments()).toHaveTextContent(/One.*Two|Two.*One/);
    void router.navigate('/secured/requisitions/search');
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Cancel'));
    await user.click(getButton('Save'));
    await waitFor(() => expect(listSaves(requests)).toHaveLength(2));
    expect(listSaves(requests)[1]?.headers.get('If-Match')).toBe('"4"');
  });

  it('saves the edits afterwards if Save was pressed again', async () => {
    let isFirst = true;
    const save = createDelayed(buildRequisition({ version: 4, comments: '<p>One</p>' }));
    const { user, requests } = await renderForm({
      [`POST ${REQUISITION_PATH}`]: () => {
        if (!isFirst) return buildRequisition({ version: 5, comments: '<p>OneTwo</p>' });
        isFirst = false;
        return save.answer();
      },
    });
    await enterComment(user, 'One');
    await user.click(getButton('Save'));
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    await enterComment(user, 'Two');
    await user.keyboard('{Control>}s{/Control}');
    expect(listSaves(requests)).toHaveLength(1);
    save.release();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(2));
    expect(listSaves(requests)[1]?.headers.get('If-Match')).toBe('"4"');
  });

  it.each(['New, same patient', 'New, different patient'])(
    'asks before %s discards the edits',
    async (name) => {
      const { user } = await typeDuringFirstSave();
      await screen.findByRole('dialog', { name: 'Requisition Saved' });
      await user.click(getButton(name));
      expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
      await user.click(getButton('Cancel'));
      expect(await findComments()).toHaveTextContent('Late');
    },
  );

  it('keeps the edits of a new requisition, which moves to its address without a question', async () => {
    const { user, router } = await typeDuringFirstSave();
    const doneDialog = await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(router.state.location.pathname).toBe(`${FORM};id=13`);
    expect(screen.queryByText(messages.UNSAVED_CHANGES)).toBeNull();
    const [close] = within(doneDialog).getAllByRole('button', { name: 'Close' });
    if (close) await user.click(close);
    expect(await findComments()).toHaveTextContent('Late');
    void router.navigate('/secured/requisitions/search');
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
  });
});

describe('An action with unsaved edits', () => {
  const signedRequisition = buildRequisition({ hasSignature: true, signedByMe: true });

  it('waits for a save in progress', async () => {
    const save = createDelayed({ ...signedRequisition, version: 4, comments: '<p>Mine</p>' });
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: signedRequisition,
      [`POST ${REQUISITION_PATH}`]: save.answer,
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Save'));
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    await user.click(getButton('Unsign'));
    expect(screen.queryByRole('dialog')).toBeNull();
    save.release();
    expect(await screen.findByRole('dialog', { name: 'Unsign' })).toBeVisible();
    expect(listSaves(requests)).toHaveLength(1);
  });

  it('saves them before Unsign', async () => {
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: signedRequisition,
      [`POST ${REQUISITION_PATH}`]: { ...signedRequisition, version: 4, comments: '<p>Mine</p>' },
      [`POST ${REQUISITION_PATH}/unsign`]: buildRequisition({ version: 5 }),
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Unsign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unsign' }));
    expect(listSaves(requests)).toHaveLength(1);
    await user.type(dialog.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(dialog.getByRole('button', { name: 'Unsign' }));
    await screen.findByText(messages.REQUISITION_UNSIGNED);
    const unsignRequest = requests.find(({ path }) => path.endsWith('/unsign'));
    expect(unsignRequest?.headers.get('If-Match')).toBe('"4"');
  });

  it('saves them before Print and Labels', async () => {
    const { user, requests, device } = await renderForm({
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4, comments: '<p>Mine</p>' }),
      'GET /api/v2/requisitions/labels': [],
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Print'));
    await waitFor(() => expect(device.documents).toHaveLength(1));
    expect(listSaves(requests)).toHaveLength(1);
    await enterComment(user, 'More');
    await user.click(getButton('Labels'));
    await screen.findByRole('dialog', { name: 'Labels' });
    expect(listSaves(requests)).toHaveLength(2);
  });

  it('asks before Cancel Requisition, and leaves no draft', async () => {
    const { user, requests } = await renderForm({
      [`POST ${REQUISITION_PATH}/cancel`]: buildRequisition({
        status: 2,
        version: 4,
        cancelComment: 'Twice',
      }),
    });
    await enterComment(user, 'Mine');
    await waitFor(() => expect(requests.some(({ method }) => method === 'PUT')).toBe(true), {
      timeout: 3000,
    });
    await user.click(getButton('Cancel Requisition'));
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(getButton('Continue'));
    const box = await screen.findByRole('textbox', { name: /^Comment \*|^Comment$/ });
    await user.type(box, 'Twice');
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel Requisition' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel Requisition' }));
    await screen.findByText(messages.REQUISITION_CANCELED);
    await waitFor(() =>
      expect(
        requests.some(({ method, path }) => method === 'DELETE' && path.includes('drafts')),
      ).toBe(true),
    );
  });

  it.each(['Sign', 'Labels', 'Print', 'Email Forms', 'Fax Forms'])(
    '%s stops at pending text',
    async (name) => {
      const { user, device } = await renderForm({ 'GET /api/v2/requisitions/labels': [] });
      await user.type(await screen.findByRole('combobox', { name: 'Test code or name' }), 'XQ7');
      await user.click(getButton(name));
      const message = say(messages.ENTRY_NOT_ADDED, { field: 'Test code or name', text: 'XQ7' });
      expect(await screen.findByText(message)).toBeVisible();
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(device.documents).toEqual([]);
    },
  );

  it.each([
    ['Email', 'ward@home.org', 'ward@home.org'],
    ['Fax', '3125550100', '312-555-0100'],
  ])('Save stops at a pending additional copy by %s', async (kind, typedText, text) => {
    const { user, requests } = await renderForm();
    await user.click(await screen.findByRole('radio', { name: kind }));
    await user.type(screen.getByRole('textbox', { name: kind }), typedText);
    await user.keyboard('{Control>}s{/Control}');
    expect(
      await screen.findByText(say(messages.ENTRY_NOT_ADDED, { field: kind, text })),
    ).toBeVisible();
    expect(listSaves(requests)).toHaveLength(0);
  });
});

describe('A copy', () => {
  it('becomes a draft only after the first edit', async () => {
    const copy = {
      ...buildRequisition(),
      physician: null,
      tests: [],
      billingInfo: [],
      left: [],
      comments: '<p>Fragile</p>',
    };
    const { user, requests } = await renderForm(
      { [`GET ${REQUISITION_PATH}/copy`]: copy },
      `${FORM};copyOf=12`,
    );
    expect(await screen.findByText('Fragile')).toBeVisible();
    await passTime(1200);
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
    await enterComment(user, 'Mine');
    await waitFor(() => expect(requests.some(({ method }) => method === 'PUT')).toBe(true), {
      timeout: 3000,
    });
  });
});

describe('Unsign', () => {
  it('no longer requests the removed signature', async () => {
    let isSigned = true;
    const signedRequisition = buildRequisition({ hasSignature: true, signedByMe: true });
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        isSigned ? signedRequisition : buildRequisition({ version: 5 }),
      [`GET ${REQUISITION_PATH}/signature`]: {
        imageSignature: 'data:image/png;base64,AAAA',
        userName: 'Sam Someone',
        signedDateTime: '2026-03-27T08:40:00',
      },
      [`POST ${REQUISITION_PATH}/unsign`]: () => {
        isSigned = false;
        return buildRequisition({ version: 5 });
      },
    });
    await screen.findByText(/Sam Someone/);
    await user.click(getButton('Unsign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unsign' }));
    await user.type(dialog.getByLabelText(/Password/), 'secret');
    await user.click(dialog.getByRole('button', { name: 'Unsign' }));
    expect(await screen.findByText('Not signed')).toBeVisible();
    const reads = requests.filter(({ path }) => path === `${REQUISITION_PATH}/signature`);
    expect(reads).toHaveLength(1);
  });
});
