import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { NoNewWindow } from '../device';
import { renderPortal } from '../test/render';
import { onScreenOf, widths } from '../test/screens';
import { useOpenPath } from './useOpenPath';

const PATH = '/secured/requisitions/create;id=12';

function Opener() {
  const open = useOpenPath();
  return <button onClick={() => void open(PATH)}>Open</button>;
}

async function press(prepare?: (portal: Awaited<ReturnType<typeof renderPortal>>) => void) {
  const portal = await renderPortal(<Opener />, { path: '/secured/requisitions/search' });
  prepare?.(portal);
  await portal.user.click(screen.getByRole('button'));
  return { ...portal, where: () => portal.router.state.location.pathname };
}

afterEach(() => onScreenOf(widths.desktop));

describe('A record', () => {
  it('opens in a window of its own on a desktop', async () => {
    const { device, where } = await press();
    expect(device.windows).toEqual([PATH]);
    expect(where()).toBe('/secured/requisitions/search');
  });

  it.each(['phone', 'tablet'] as const)('opens in place on a %s', async (kind) => {
    onScreenOf(widths[kind]);
    const { device, where } = await press();
    await waitFor(() => expect(where()).toBe(PATH));
    expect(device.windows).toEqual([]);
  });

  it('opens in place where there are no windows, as in an installed app', async () => {
    const { where } = await press(({ device }) => {
      device.openWindow = () => Promise.reject(new NoNewWindow());
    });
    await waitFor(() => expect(where()).toBe(PATH));
  });
});
