import { afterEach, describe, expect, it, vi } from 'vitest';

import { BrowserBridge } from './browser';
import { NoNewWindow } from './types';

const PATH = '/secured/requisitions/create;id=12';

/** The page as an installed app, or as a tab of a browser. */
const shownAs = (mode: 'standalone' | 'browser') =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === `(display-mode: ${mode})`,
  }));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('A window in a browser', () => {
  it('is a tab of its own', async () => {
    shownAs('browser');
    const open = vi.fn(() => ({}));
    vi.stubGlobal('open', open);
    const goTo = vi.fn();
    await new BrowserBridge(goTo).openWindow(PATH);
    expect(open).toHaveBeenCalledWith(PATH, '_blank');
    expect(goTo).not.toHaveBeenCalled();
  });

  it('is in place in an installed app', async () => {
    shownAs('standalone');
    const open = vi.fn();
    vi.stubGlobal('open', open);
    const goTo = vi.fn();
    await new BrowserBridge(goTo).openWindow(PATH);
    expect(goTo).toHaveBeenCalledWith(PATH);
    expect(open).not.toHaveBeenCalled();
  });

  it('says so when the browser lets none open', async () => {
    shownAs('browser');
    vi.stubGlobal('open', () => null);
    await expect(new BrowserBridge(vi.fn()).openWindow(PATH)).rejects.toBeInstanceOf(NoNewWindow);
  });
});
