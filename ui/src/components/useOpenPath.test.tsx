import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages } from '../contract';
import { PopupBlocked, WindowUnavailable } from '../device';
import { renderPortal } from '../test/render';
import { setScreenWidth, widths } from '../test/screens';
import { useOpenPath } from './useOpenPath';

const PATH = '/secured/requisitions/create;id=12';

function Opener() {
  const openPath = useOpenPath();
  return <button onClick={() => void openPath(PATH)}>Open</button>;
}

async function openRecord(prepare?: (portal: Awaited<ReturnType<typeof renderPortal>>) => void) {
  const portal = await renderPortal(<Opener />, { path: '/secured/requisitions/search' });
  prepare?.(portal);
  await portal.user.click(screen.getByRole('button'));
  return { ...portal, getPathname: () => portal.router.state.location.pathname };
}

afterEach(() => setScreenWidth(widths.desktop));

describe('Opening a record', () => {
  it('uses a new window on a desktop', async () => {
    const { device, getPathname } = await openRecord();
    expect(device.windows).toEqual([PATH]);
    expect(getPathname()).toBe('/secured/requisitions/search');
  });

  it.each(['phone', 'tablet'] as const)('stays in the window on a %s', async (kind) => {
    setScreenWidth(widths[kind]);
    const { device, getPathname } = await openRecord();
    await waitFor(() => expect(getPathname()).toBe(PATH));
    expect(device.windows).toEqual([]);
  });

  it('says that the browser blocks windows, and opens the record here on demand', async () => {
    const { user, getPathname } = await openRecord(({ device }) => {
      device.openWindow = () => Promise.reject(new PopupBlocked());
    });
    const dialog = await screen.findByRole('dialog', { name: 'Popup Blocked' });
    expect(dialog).toHaveTextContent(messages.POPUP_BLOCKED);
    expect(getPathname()).toBe('/secured/requisitions/search');
    await user.click(screen.getByRole('button', { name: 'Open here' }));
    await waitFor(() => expect(getPathname()).toBe(PATH));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stays in the window if no other can be opened, as in an installed app', async () => {
    const { getPathname } = await openRecord(({ device }) => {
      device.openWindow = () => Promise.reject(new WindowUnavailable());
    });
    await waitFor(() => expect(getPathname()).toBe(PATH));
  });
});
