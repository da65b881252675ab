import { afterEach, describe, expect, it, vi } from 'vitest';

import { BrowserBridge } from './browser';
import { WindowUnavailable } from './types';

const PATH = '/secured/requisitions/create;id=12';

/** Makes the page look like an installed app, or like a browser tab. */
const setDisplayMode = (mode: 'standalone' | 'browser') =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === `(display-mode: ${mode})`,
  }));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('A new window in a browser', () => {
  it('is a new tab', async () => {
    setDisplayMode('browser');
    const open = vi.fn(() => ({}));
    vi.stubGlobal('open', open);
    const navigate = vi.fn();
    await new BrowserBridge(navigate).openWindow(PATH);
    expect(open).toHaveBeenCalledWith(PATH, '_blank');
    expect(navigate).not.toHaveBeenCalled();
  });

  it('opens in place in an installed app', async () => {
    setDisplayMode('standalone');
    const open = vi.fn();
    vi.stubGlobal('open', open);
    const navigate = vi.fn();
    await new BrowserBridge(navigate).openWindow(PATH);
    expect(navigate).toHaveBeenCalledWith(PATH);
    expect(open).not.toHaveBeenCalled();
  });

  it('is reported as unavailable when the browser blocks it', async () => {
    setDisplayMode('browser');
    vi.stubGlobal('open', () => null);
    await expect(new BrowserBridge(vi.fn()).openWindow(PATH)).rejects.toBeInstanceOf(
      WindowUnavailable,
    );
  });
});
