import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import {
  comment,
  comments,
  drawForm,
  FORM,
  ONE,
  orderTest,
  saves,
} from '../../../test/requisitionForm';
import { requisition } from '../../../test/requisitions';
import { passTime } from '../../../test/timers';

const button = (name: string) => screen.getByRole('button', { name });

/** An answer that comes when the test says so. */
function held<Answer>(answer: Answer) {
  let release: (value: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((resolve) => (release = resolve));
  return { answer: () => promise, come: () => release(answer) };
}

/** A new requisition whose first save answers only after a comment was typed. */
async function typedDuringFirstSave() {
  const saved = requisition({ id: 13, code: 'R260000013' });
  const save = held(saved);
  const view = await drawForm(
    { 'POST /api/v2/requisitions': save.answer, 'GET /api/v2/requisitions/13': saved },
    `${FORM};patientId=7`,
  );
  await orderTest(view.user);
  await view.user.click(button('Save'));
  await waitFor(() =>
    expect(view.seen.some(({ path }) => path === '/api/v2/requisitions')).toBe(true),
  );
  await comment(view.user, 'Late');
  save.come();
  return view;
}

describe('What is typed while a save is under way', () => {
  it('stays, unsaved, on top of what was saved', async () => {
    let first = true;
    const save = held(requisition({ version: 4, comments: '<p>One</p>' }));
    const { user, seen, router } = await drawForm({
      [`POST ${ONE}`]: () => {
        if (!first) return requisition({ version: 5, comments: '<p>OneTwo</p>' });
        first = false;
        return save.answer();
      },
    });
    await comment(user, 'One');
    await user.click(button('Save'));
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    await comment(user, 'Two');
    expect(await comments()).toHaveTextContent('Two');
    save.come();
    await screen.findByText(messages.REQUISITION_SAVED);
    await passTime(50);
    expect(await comments()).toHaveTextContent(/One.*Two|Two.*One/);
    void router.navigate('/secured/requisitions/search');
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(button('Cancel'));
    await user.click(button('Save'));
    await waitFor(() => expect(saves(seen)).toHaveLength(2));
    expect(saves(seen)[1]?.headers.get('If-Match')).toBe('"4"');
  });

  it('is saved after it, when that is asked for already', async () => {
    let first = true;
    const save = held(requisition({ version: 4, comments: '<p>One</p>' }));
    const { user, seen } = await drawForm({
      [`POST ${ONE}`]: () => {
        if (!first) return requisition({ version: 5, comments: '<p>OneTwo</p>' });
        first = false;
        return save.answer();
      },
    });
    await comment(user, 'One');
    await user.click(button('Save'));
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    await comment(user, 'Two');
    await user.keyboard('{Control>}s{/Control}');
    expect(saves(seen)).toHaveLength(1);
    save.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(2));
    expect(saves(seen)[1]?.headers.get('If-Match')).toBe('"4"');
  });

  it.each(['New, same patient', 'New, different patient'])(
    'is not lost unasked to %s',
    async (name) => {
      const { user } = await typedDuringFirstSave();
      await screen.findByRole('dialog', { name: 'Requisition Saved' });
      await user.click(button(name));
      expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
      await user.click(button('Cancel'));
      expect(await comments()).toHaveTextContent('Late');
    },
  );

  it('stays on a new requisition too, which goes on to its own address unasked', async () => {
    const { user, router } = await typedDuringFirstSave();
    const done = await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(router.state.location.pathname).toBe(`${FORM};id=13`);
    expect(screen.queryByText(messages.UNSAVED_CHANGES)).toBeNull();
    const [close] = within(done).getAllByRole('button', { name: 'Close' });
    if (close) await user.click(close);
    expect(await comments()).toHaveTextContent('Late');
    void router.navigate('/secured/requisitions/search');
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
  });
});

describe('What is done with a requisition while edits are unsaved', () => {
  const signed = requisition({ hasSignature: true, signedByMe: true });

  it('waits for a save that is under way', async () => {
    const save = held({ ...signed, version: 4, comments: '<p>Mine</p>' });
    const { user, seen } = await drawForm({ [`GET ${ONE}`]: signed, [`POST ${ONE}`]: save.answer });
    await comment(user, 'Mine');
    await user.click(button('Save'));
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    await user.click(button('Unsign'));
    expect(screen.queryByRole('dialog')).toBeNull();
    save.come();
    expect(await screen.findByRole('dialog', { name: 'Unsign' })).toBeVisible();
    expect(saves(seen)).toHaveLength(1);
  });

  it('Unsign saves them first and stands on what was saved', async () => {
    const { user, seen } = await drawForm({
      [`GET ${ONE}`]: signed,
      [`POST ${ONE}`]: { ...signed, version: 4, comments: '<p>Mine</p>' },
      [`POST ${ONE}/unsign`]: requisition({ version: 5 }),
    });
    await comment(user, 'Mine');
    await user.click(button('Unsign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unsign' }));
    expect(saves(seen)).toHaveLength(1);
    await user.type(dialog.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(dialog.getByRole('button', { name: 'Unsign' }));
    await screen.findByText(messages.REQUISITION_UNSIGNED);
    const sent = seen.find(({ path }) => path.endsWith('/unsign'));
    expect(sent?.headers.get('If-Match')).toBe('"4"');
  });

  it('Print and Labels are of what was saved just now', async () => {
    const { user, seen, device } = await drawForm({
      [`POST ${ONE}`]: requisition({ version: 4, comments: '<p>Mine</p>' }),
      'GET /api/v2/requisitions/labels': [],
    });
    await comment(user, 'Mine');
    await user.click(button('Print'));
    await waitFor(() => expect(device.documents).toHaveLength(1));
    expect(saves(seen)).toHaveLength(1);
    await comment(user, 'More');
    await user.click(button('Labels'));
    await screen.findByRole('dialog', { name: 'Labels' });
    expect(saves(seen)).toHaveLength(2);
  });

  it('Cancel Requisition asks first, and leaves no draft', async () => {
    const { user, seen } = await drawForm({
      [`POST ${ONE}/cancel`]: requisition({ status: 2, version: 4, cancelComment: 'Twice' }),
    });
    await comment(user, 'Mine');
    await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true), {
      timeout: 3000,
    });
    await user.click(button('Cancel Requisition'));
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(button('Continue'));
    const box = await screen.findByRole('textbox', { name: /^Comment \*|^Comment$/ });
    await user.type(box, 'Twice');
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel Requisition' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel Requisition' }));
    await screen.findByText(messages.REQUISITION_CANCELED);
    await waitFor(() =>
      expect(seen.some(({ method, path }) => method === 'DELETE' && path.includes('drafts'))).toBe(
        true,
      ),
    );
  });

  it.each(['Sign', 'Labels', 'Print', 'Email Forms', 'Fax Forms'])(
    '%s waits for what is typed and not added',
    async (name) => {
      const { user, device } = await drawForm({ 'GET /api/v2/requisitions/labels': [] });
      await user.type(await screen.findByRole('combobox', { name: 'Test code or name' }), 'XQ7');
      await user.click(button(name));
      expect(await screen.findByText(say(messages.ENTRY_NOT_ADDED, { text: 'XQ7' }))).toBeVisible();
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(device.documents).toEqual([]);
    },
  );

  it.each([
    ['Email', 'ward@home.org', 'ward@home.org'],
    ['Fax', '3125550100', '312-555-0100'],
  ])('Save waits for an additional copy by %s', async (kind, typed, said) => {
    const { user, seen } = await drawForm();
    await user.click(await screen.findByRole('radio', { name: kind }));
    await user.type(screen.getByRole('textbox', { name: kind }), typed);
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(say(messages.ENTRY_NOT_ADDED, { text: said }))).toBeVisible();
    expect(saves(seen)).toHaveLength(0);
  });
});

describe('A copy', () => {
  it('is no draft before the person has changed something', async () => {
    const copy = {
      ...requisition(),
      physician: null,
      tests: [],
      billingInfo: [],
      left: [],
      comments: '<p>Fragile</p>',
    };
    const { user, seen } = await drawForm({ [`GET ${ONE}/copy`]: copy }, `${FORM};copyOf=12`);
    expect(await screen.findByText('Fragile')).toBeVisible();
    await passTime(1200);
    expect(seen.some(({ method }) => method === 'PUT')).toBe(false);
    await comment(user, 'Mine');
    await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true), {
      timeout: 3000,
    });
  });
});
