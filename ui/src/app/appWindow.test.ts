import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { trackPrint } from '../components/runningPrints';
import { messages } from '../contract';
import { closeDialogByEscape } from '../test/dialogs';
import { installFakePortal, type SentRequest } from '../test/portal';
import { attachToWindow } from './appWindow';

const PATH = '/device/windows/current';
let requests: SentRequest[];
let isDirty = false;
let detach = (): void => undefined;

const preventUnload = (event: Event) => {
  if (isDirty) event.preventDefault();
};
const listBodies = () => requests.filter(({ path }) => path === PATH).map(({ body }) => body);
const close = () => act(() => void window.dispatchEvent(new Event('portal:closing')));

describe('The window of the desktop app', () => {
  beforeEach(() => {
    isDirty = false;
    document.title = 'Patients · Lab Portal';
    window.addEventListener('beforeunload', preventUnload);
    requests = installFakePortal({ [`PUT ${PATH}`]: () => new Response(null, { status: 204 }) });
  });
  afterEach(() => {
    detach();
    sessionStorage.clear();
    window.removeEventListener('beforeunload', preventUnload);
  });

  it('has the title of the screen, and closes if nothing is unsaved', async () => {
    detach = attachToWindow();
    await waitFor(() =>
      expect(listBodies()).toEqual([{ act: 'guards' }, { title: 'Patients · Lab Portal' }]),
    );
    document.title = 'Requisitions · Lab Portal';
    await waitFor(() =>
      expect(listBodies()).toContainEqual({ title: 'Requisitions · Lab Portal' }),
    );
    close();
    await waitFor(() => expect(listBodies()).toContainEqual({ act: 'closes' }));
  });

  it('says after a crash of the page that unsaved changes are lost', async () => {
    const user = userEvent.setup();
    isDirty = true;
    detach = attachToWindow();
    const field = document.body.appendChild(document.createElement('input'));
    await user.type(field, 'x');
    field.remove();
    await waitFor(() => expect(sessionStorage).toHaveLength(1));
    detach(); // without a 'pagehide' event, as in a crash
    detach = attachToWindow();
    await screen.findByRole('dialog', { name: 'Changes were lost' });
    await closeDialogByEscape(user);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says nothing after a page that was saved, or left in the usual way', async () => {
    const user = userEvent.setup();
    isDirty = true;
    detach = attachToWindow();
    const field = document.body.appendChild(document.createElement('input'));
    await user.type(field, 'x');
    await waitFor(() => expect(sessionStorage).toHaveLength(1));
    isDirty = false;
    await user.type(field, 'y');
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
    isDirty = true;
    await user.type(field, 'z');
    await waitFor(() => expect(sessionStorage).toHaveLength(1));
    field.remove();
    window.dispatchEvent(new Event('pagehide'));
    expect(sessionStorage).toHaveLength(0);
  });

  it('asks before it closes while labels are printing', async () => {
    const user = userEvent.setup();
    detach = attachToWindow();
    let end = (): void => undefined;
    const print = trackPrint(() => new Promise<void>((resolve) => (end = resolve)));
    close();
    expect(await screen.findByText(messages.LABELS_STILL_PRINT)).toBeVisible();
    await closeDialogByEscape(user);
    expect(listBodies()).not.toContainEqual({ act: 'closes' });
    end();
    await print;
    close();
    await waitFor(() => expect(listBodies()).toContainEqual({ act: 'closes' }));
  });

  it('stays open with unsaved changes unless the person wants to lose them', async () => {
    const user = userEvent.setup();
    isDirty = true;
    detach = attachToWindow();
    close();
    await screen.findByRole('dialog', { name: 'Close this window' });
    await waitFor(() => expect(listBodies()).toContainEqual({ act: 'holds' }));
    await closeDialogByEscape(user);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(listBodies()).not.toContainEqual({ act: 'closes' });
    close();
    await screen.findByRole('dialog', { name: 'Close this window' });
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(listBodies()).toContainEqual({ act: 'closes' }));
  });
});
