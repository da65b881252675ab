import '@testing-library/jest-dom/vitest';

import { Classes } from '@blueprintjs/core';
import { cleanup, configure, waitFor } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

import { sharedTimers } from './timers';

// jsdom has no layout; Blueprint's table draws only the rows that fit.
const size = { clientWidth: 1280, clientHeight: 900, offsetWidth: 1280, offsetHeight: 900 };
for (const [name, value] of Object.entries(size)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
}

class NoResizeObserver implements ResizeObserver {
  observe(): void {
    // Nothing resizes here.
  }
  unobserve(): void {
    // Nothing resizes here.
  }
  disconnect(): void {
    // Nothing resizes here.
  }
}
vi.stubGlobal('ResizeObserver', NoResizeObserver);
vi.stubGlobal('matchMedia', (query: string) => ({
  media: query,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
// No pictures are drawn: every one is taken as whole, unless a test says otherwise.
HTMLImageElement.prototype.decode = () => Promise.resolve();
Element.prototype.scrollIntoView = () => undefined;
// The text editor asks where its letters are.
const nowhere = new DOMRect();
document.elementFromPoint = () => null;
Range.prototype.getBoundingClientRect = () => nowhere;
Range.prototype.getClientRects = () => Object.assign([nowhere], { item: () => nowhere });
// The real channel would carry sign-outs from one test into the next.
vi.stubGlobal('BroadcastChannel', undefined);
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

// What is waited for comes within this time even on a machine that is busy with other tests.
configure({ asyncUtilTimeout: 20_000 });

/** A toast of one test must not be found by the next; some wait for others before they show. */
const closeToasts = (): Promise<void> =>
  waitFor(() => {
    const toasts = document.querySelectorAll(`.${Classes.TOAST}`);
    for (const toast of toasts) toast.querySelector<HTMLElement>('[aria-label="Close"]')?.click();
    if (toasts.length > 0) throw new Error('A toast is still there.');
  });

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await closeToasts();
  // A router in memory must not be taken for one that stands somewhere in the window's history.
  window.history.replaceState(null, '');
});

// The files of a worker share one page and one set of modules: what a file leaves behind (a focus
// that is given back in a moment) must not reach the next one.
const timers = sharedTimers();
afterAll(() => {
  timers.clear();
  localStorage.clear();
  sessionStorage.clear();
});
