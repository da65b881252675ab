import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { page, problem } from '../../../test/portal';
import { comment, comments, drawForm, ONE, saves } from '../../../test/requisitionForm';
import { requisition } from '../../../test/requisitions';

const button = (name: string) => screen.getByRole('button', { name });

describe('After somebody else saved first', () => {
  const stale = () => problem(412, 'stale_version', '');

  it('the whole screen is of the newer version, and the keyboard is where it is said', async () => {
    let reads = 0;
    const { user } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : { version: 5, status: 4 }),
      [`POST ${ONE}`]: stale,
    });
    await comment(user, 'Mine');
    await user.click(button('Save'));
    const said = await screen.findByText(/received by the lab while you were editing/);
    const banner = said.closest('[role="alert"]');
    expect(banner).toHaveFocus();
    expect(screen.getByText('Comments: Mine')).toBeVisible();
    expect(await screen.findByText(/is DONE and cannot be changed/)).toBeVisible();
    expect(button('Save')).toBeDisabled();
    await user.click(button('Use the newer version'));
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(await comments()).not.toHaveTextContent('Mine');
  });

  const received = { version: 5, status: 4 };
  const priority = () => screen.getByRole('combobox', { name: 'Priority' });

  it('nothing is signed that is not shown', async () => {
    let reads = 0;
    const { user, seen } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : received),
      [`POST ${ONE}`]: stale,
    });
    await comments();
    await user.selectOptions(priority(), 'STAT');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(/received by the lab while you were editing/)).toBeVisible();
    expect(screen.getByText('Priority: STAT')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Keep my changes' })).toBeNull();
    expect(priority()).toHaveValue('ROUTINE');
    await user.click(button('Sign'));
    await screen.findByRole('dialog', { name: 'Electronic Signature' });
    expect(saves(seen)).toHaveLength(1);
  });

  it('what could not be signed is shown as it is now, and is signed then', async () => {
    const told = 'Requisition R260000012 changed since you opened it.';
    let [reads, signs] = [0, 0];
    const { user, seen } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : { version: 5, priority: 'STAT' }),
      'POST /api/v2/requisitions/sign-multiple': () =>
        ++signs === 1 ? problem(412, 'stale_version', told) : { data: [{ id: 12, version: 6 }] },
    });
    const sign = async () => {
      await user.click(button('Sign'));
      const dialog = await screen.findByRole('dialog', { name: 'Electronic Signature' });
      await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
      await user.click(within(dialog).getByRole('button', { name: 'Sign' }));
    };
    await comments();
    await sign();
    expect(await screen.findByText(told)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(priority()).toHaveValue('STAT'));
    await sign();
    expect(await screen.findByText(messages.REQUISITION_SIGNED)).toBeVisible();
    const signed = seen.filter(({ path }) => path.endsWith('sign-multiple'));
    expect(signed.map(({ body }) => (body as { versions: unknown }).versions)).toEqual([
      { 12: 3 },
      { 12: 5 },
    ]);
  });

  it('what was canceled before it could be signed is shown so, and offers no signing', async () => {
    const told = 'Requisition R260000012 is CANCELED and cannot be changed';
    let reads = 0;
    const { user } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : { version: 5, status: 2 }),
      'POST /api/v2/requisitions/sign-multiple': problem(409, 'requisition_read_only', told),
    });
    await comments();
    await user.click(button('Sign'));
    const dialog = await screen.findByRole('dialog', { name: 'Electronic Signature' });
    await user.type(within(dialog).getByLabelText(/Password/), 'Portal-2026!');
    await user.click(within(dialog).getByRole('button', { name: 'Sign' }));
    expect(await screen.findByText(told)).toBeVisible();
    await waitFor(() => expect(button('Save')).toBeDisabled());
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('what could not be canceled is looked at first, and the comment is kept', async () => {
    let [reads, cancels] = [0, 0];
    const { user } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : { version: 5, priority: 'STAT' }),
      [`POST ${ONE}/cancel`]: () =>
        ++cancels === 1
          ? problem(412, 'stale_version', messages.VERSION_STALE)
          : requisition({ version: 6, status: 2 }),
    });
    const cancel = async () => {
      await user.click(button('Cancel Requisition'));
      return screen.findByRole('dialog', { name: 'Cancel Requisition' });
    };
    const confirm = (dialog: HTMLElement) =>
      user.click(within(dialog).getByRole('button', { name: 'Cancel Requisition' }));
    await comments();
    const first = await cancel();
    await user.type(within(first).getByRole('textbox', { name: /Comment/ }), 'Twice');
    await confirm(first);
    expect(await screen.findByText(messages.VERSION_STALE)).toBeVisible();
    await waitFor(() => expect(priority()).toHaveValue('STAT'));
    const again = await cancel();
    expect(within(again).getByRole('textbox', { name: /Comment/ })).toHaveValue('Twice');
    await confirm(again);
    expect(await screen.findByText(messages.REQUISITION_CANCELED)).toBeVisible();
  });

  it('a form that takes nothing any more is as saved, however it heard of it', async () => {
    let reads = 0;
    const { user, queries } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : received),
    });
    await comments();
    await user.selectOptions(priority(), 'STAT');
    void queries.invalidateQueries();
    expect(await screen.findByText('Priority: STAT')).toBeVisible();
    expect(priority()).toHaveValue('ROUTINE');
  });

  it('what a signature leaves open can still be saved; the rest is named', async () => {
    let reads = 0;
    let tries = 0;
    const signed = requisition({ version: 5, hasSignature: true });
    const { user, seen } = await drawForm({
      [`GET ${ONE}`]: () => (++reads === 1 ? requisition() : signed),
      [`POST ${ONE}`]: () =>
        ++tries === 1 ? stale() : { ...signed, version: 6, comments: '<p>Mine</p>' },
    });
    await comment(user, 'Mine');
    await user.selectOptions(priority(), 'STAT');
    await user.click(button('Save'));
    expect(await screen.findByText(/was signed by somebody else while you were/)).toBeVisible();
    expect(screen.getByText('Priority: STAT')).toBeVisible();
    expect(priority()).toHaveValue('ROUTINE');
    await user.click(button('Keep my changes'));
    expect(await comments()).toHaveTextContent('Mine');
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const sent = saves(seen)[1];
    expect(sent?.headers.get('If-Match')).toBe('"5"');
    expect(sent?.body).toMatchObject({ priority: 'ROUTINE', comments: '<p>Mine</p>' });
  });

  it('the medications of both are kept', async () => {
    let reads = 0;
    let tries = 0;
    const theirs = requisition({ version: 5, medications: [{ name: 'WARFARIN' }] });
    const { user, seen } = await drawForm({
      [`GET ${ONE}`]: () => (++reads === 1 ? requisition() : theirs),
      [`POST ${ONE}`]: () => (++tries === 1 ? stale() : { ...theirs, version: 6 }),
      'GET /api/v2/medications/remote-operations': page([]),
    });
    await comments();
    await user.type(screen.getByRole('combobox', { name: 'Medication' }), 'ASPIRIN{Enter}');
    await screen.findByText('ASPIRIN');
    await user.click(button('Save'));
    expect(await screen.findByText(/shown here now: Medications\./)).toBeVisible();
    await user.click(button('Keep my changes'));
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(saves(seen)[1]?.body).toMatchObject({
      medications: [{ name: 'ASPIRIN' }, { name: 'WARFARIN' }],
    });
  });

  it('what both changed is told with what either made of it, in few words', async () => {
    let reads = 0;
    const theirs = requisition({
      version: 5,
      priority: 'STAT',
      collectionDate: '2026-03-28T08:35:00',
      comments: `<p>Theirs ${'is long '.repeat(20)}</p>`,
    });
    const { user } = await drawForm({
      [`GET ${ONE}`]: () => (++reads === 1 ? requisition() : theirs),
      [`POST ${ONE}`]: stale,
    });
    await comment(user, 'Mine');
    await user.selectOptions(priority(), 'RUSH');
    const date = screen.getByRole('textbox', { name: 'Collection Date' });
    await user.clear(date);
    await user.type(date, '03/29/2026');
    await user.click(button('Save'));
    expect(await screen.findByText('Priority: STAT now, you entered RUSH')).toBeVisible();
    expect(
      screen.getByText('Collection Date: 03/28/2026 now, you entered 03/29/2026'),
    ).toBeVisible();
    const comments = screen.getByText(/^Comments: 'Theirs is long .*…' now, you entered 'Mine'$/);
    expect(comments.textContent.length).toBeLessThan(110);
  });

  it('it can be signed as it is now', async () => {
    let reads = 0;
    const { user, seen } = await drawForm({
      [`GET ${ONE}`]: () => requisition(++reads === 1 ? {} : { version: 5 }),
      [`POST ${ONE}`]: stale,
      'POST /api/v2/requisitions/sign-multiple': { data: [] },
    });
    await comment(user, 'Mine');
    await user.click(button('Save'));
    await user.click(await screen.findByRole('button', { name: 'Use the newer version' }));
    await user.click(button('Sign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Electronic Signature' }));
    await user.type(dialog.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(dialog.getByRole('button', { name: 'Sign' }));
    await screen.findByText(messages.REQUISITION_SIGNED);
    const sent = seen.find(({ path }) => path.endsWith('sign-multiple'));
    expect(sent?.body).toMatchObject({ versions: { 12: 5 } });
  });

  it('the person hears of it even when the newer version can not be read', async () => {
    let reads = 0;
    const { user } = await drawForm({
      [`GET ${ONE}`]: () => (++reads === 1 ? requisition() : problem(503, 'unavailable', '')),
      [`POST ${ONE}`]: stale,
    });
    await comment(user, 'Mine');
    await user.click(button('Save'));
    const said = `${messages.VERSION_CONFLICT} ${messages.UNAVAILABLE}`;
    expect(await screen.findByText(said)).toBeVisible();
    expect(await comments()).toHaveTextContent('Mine');
  });

  it.each([413, 429])('a refusal without a sentence of its own is told: %s', async (status) => {
    const { user } = await drawForm({ [`POST ${ONE}`]: problem(status, 'refused', 'Said why') });
    await comment(user, 'Mine');
    await user.click(button('Save'));
    expect(await screen.findByText('Said why')).toBeVisible();
  });
});
