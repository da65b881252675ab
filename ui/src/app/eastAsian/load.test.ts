import { afterEach, describe, expect, it, vi } from 'vitest';

import { loadEastAsianOnDemand } from './load';

afterEach(() => vi.unstubAllGlobals());

/** A page whose browser loads the probe when `draw` is called. */
function renderPage() {
  const faces = new Set<unknown>();
  let draw = (): void => undefined;
  class Face {
    readonly loaded = new Promise<void>((resolve) => (draw = resolve));
    constructor(
      readonly family: string,
      readonly source: string,
      readonly options: FontFaceDescriptors,
    ) {}
  }
  vi.stubGlobal('FontFace', Face);
  const page = document.implementation.createHTMLDocument();
  Object.defineProperty(page, 'fonts', { value: faces });
  loadEastAsianOnDemand(page);
  return { faces, draw, listSheets: () => page.querySelectorAll('link[rel=stylesheet]') };
}

describe('The typeface of Han, Hangul, and Kana', () => {
  it('is not loaded before one of its characters is drawn', async () => {
    const { faces, listSheets } = renderPage();
    await Promise.resolve();
    expect(faces.size).toBe(1);
    expect(listSheets()).toHaveLength(0);
  });

  it('is loaded once the first of its characters is drawn', async () => {
    const { faces, draw, listSheets } = renderPage();
    draw();
    await vi.waitFor(() => expect(listSheets()).toHaveLength(1));
    expect(faces.size).toBe(0);
  });
});
