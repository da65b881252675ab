import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import {
  cbc,
  favorite,
  getField,
  glu,
  k,
  listChosen,
  renderPicker,
} from '../../../test/testPicker';

describe('Favorites', () => {
  it('are added by one key, except for unavailable tests, which are named', async () => {
    const { user } = await renderPicker({ initial: [glu] });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(getField());
    await user.keyboard('{Alt>}{Shift>}1{/Shift}{/Alt}');
    await waitFor(() => expect(listChosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']));
    expect(
      await screen.findByText(say(messages.FAVORITE_SKIPPED, { name: 'MORNING', codes: 'CSA' })),
    ).toBeVisible();
    expect(getField()).toHaveValue('');
  });

  it('are saved from the current choice under a name', async () => {
    const { user, requests } = await renderPicker({
      initial: [k, cbc],
      answers: { 'POST /api/v2/favorite-panels': favorite },
    });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Favorite Panels' }));
    await user.type(dialog.getByRole('textbox', { name: /^Name of the new/ }), 'evening{Enter}');
    expect(
      await screen.findByText(say(messages.FAVORITE_SAVED, { name: 'EVENING' })),
    ).toBeVisible();
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === '/api/v2/favorite-panels',
    );
    expect(write?.body).toEqual({ name: 'EVENING', tests: [{ id: 2 }, { id: 4 }] });
    expect(write?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('report a name in use, and lose nothing', async () => {
    const { user } = await renderPicker({
      initial: [k],
      answers: {
        'POST /api/v2/favorite-panels': () =>
          buildProblem(409, 'favorite_name_in_use', messages.FAVORITE_NAME_IN_USE, [
            { field: 'name', message: messages.FAVORITE_NAME_IN_USE },
          ]),
      },
    });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Favorite Panels' }));
    const name = dialog.getByRole('textbox', { name: /^Name of the new/ });
    await user.type(name, 'morning{Enter}');
    expect(await dialog.findByText(messages.FAVORITE_NAME_IN_USE)).toBeVisible();
    expect(name).toHaveValue('MORNING');
  });

  it('are renamed with the version on screen', async () => {
    const { user, requests } = await renderPicker({
      answers: { 'PUT /api/v2/favorite-panels/9': { ...favorite, name: 'NOON' } },
    });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    await user.click(await screen.findByRole('button', { name: 'Rename MORNING' }));
    const field = screen.getByRole('textbox', { name: 'New name of MORNING' });
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, 'noon{Enter}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^New name/ })).toBeNull());
    const write = requests.find(({ method }) => method === 'PUT');
    expect([write?.body, write?.headers.get('If-Match')]).toEqual([{ name: 'NOON' }, '"2"']);
  });

  it('cannot have an empty name', async () => {
    const { user, requests } = await renderPicker();
    await user.click(await screen.findByRole('button', { name: 'Edit favorites' }));
    await user.click(await screen.findByRole('button', { name: 'Rename MORNING' }));
    const field = screen.getByRole('textbox', { name: 'New name of MORNING' });
    await user.clear(field);
    await user.type(field, ' {Enter}');
    expect(screen.getByRole('button', { name: 'Save the name of MORNING' })).toBeDisabled();
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('can be restored after removal', async () => {
    const { user, requests } = await renderPicker({
      answers: {
        'DELETE /api/v2/favorite-panels/9': new Response(null, { status: 204 }),
        'POST /api/v2/favorite-panels': favorite,
      },
    });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    await user.click(await screen.findByRole('button', { name: 'Remove MORNING' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const getPost = () =>
      requests.find(({ method, path }) => method === 'POST' && path === '/api/v2/favorite-panels');
    await waitFor(() => expect(getPost()).toBeDefined());
    expect(getPost()?.body).toEqual({ name: 'MORNING', tests: [{ id: 1 }, { id: 4 }, { id: 5 }] });
  });
});
