import { afterEach, describe, expect, it, vi } from 'vitest';

import { messages } from '../contract';
import { BrowserBridge } from './browser';
import { PopupBlocked } from './types';

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

  it('is reported when the browser blocks it', async () => {
    setDisplayMode('browser');
    vi.stubGlobal('open', () => null);
    await expect(new BrowserBridge(vi.fn()).openWindow(PATH)).rejects.toBeInstanceOf(PopupBlocked);
  });
});

describe('A loaded file in a browser', () => {
  const showFile = async (mediaType: string, isSaved = false, content = 'x') => {
    const open = vi.fn(() => ({}));
    const click = vi
      .spyOn(HTMLAnchorElement.prototype, 'click')
      .mockImplementation(() => undefined);
    vi.stubGlobal('open', open);
    vi.stubGlobal('URL', { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined });
    const file = { base64: btoa(content), mediaType, name: 'scan', isSaved };
    const error = await new BrowserBridge(vi.fn())
      .openFile(file)
      .catch((reason: unknown) => reason);
    const downloads = click.mock.calls.length;
    click.mockRestore();
    return { tabs: open.mock.calls.length, downloads, error };
  };

  it('is not opened if it is empty', async () => {
    const { tabs, downloads, error } = await showFile('application/pdf', false, '');
    expect({ tabs, downloads }).toEqual({ tabs: 0, downloads: 0 });
    expect(error).toMatchObject({ status: 503, detail: messages.DOCUMENT_UNAVAILABLE });
  });

  it.each(['application/pdf', 'image/png', 'image/jpeg'])('is shown: %s', async (mediaType) => {
    expect(await showFile(mediaType)).toMatchObject({ tabs: 1, downloads: 0 });
  });

  it('is downloaded if it is to be saved', async () => {
    expect(await showFile('image/png', true)).toMatchObject({ tabs: 0, downloads: 1 });
  });

  it('is downloaded if browsers cannot show its kind', async () => {
    expect(await showFile('image/tiff')).toMatchObject({ tabs: 0, downloads: 1 });
  });
});
