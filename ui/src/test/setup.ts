import '@testing-library/jest-dom/vitest';

import * as domMatchers from '@testing-library/jest-dom/matchers';
import { Classes } from '@blueprintjs/core';
import { cleanup, configure, waitFor } from '@testing-library/react';
import { afterAll, afterEach, expect, vi } from 'vitest';

import { forgetPendingSignOut } from '../api/pendingSignOut';
import { clearStoredDrafts } from '../api/storedDrafts';
import { getQuickStyle } from './computedStyle';
import { takeIgnoredFields } from './portal';
import { getSharedTimers } from './timers';

// People cannot use an element with aria-disabled either.
const isMarkedDisabled = (element: Element) => element.getAttribute('aria-disabled') === 'true';
expect.extend({
  toBeDisabled(element: HTMLElement) {
    if (!isMarkedDisabled(element)) return domMatchers.toBeDisabled.call(this as never, element);
    return { pass: true, message: () => `${element.outerHTML} is disabled` };
  },
  toBeEnabled(element: HTMLElement) {
    if (!isMarkedDisabled(element)) return domMatchers.toBeEnabled.call(this as never, element);
    return { pass: false, message: () => `${element.outerHTML} is disabled` };
  },
});

// jsdom has no layout, and Blueprint's table renders only rows that fit.
const size = { clientWidth: 1280, clientHeight: 900, offsetWidth: 1280, offsetHeight: 900 };
for (const [name, value] of Object.entries(size)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
}

window.getComputedStyle = getQuickStyle;

class NoResizeObserver implements ResizeObserver {
  observe(): void {
    // Nothing resizes in tests.
  }
  unobserve(): void {
    // Nothing resizes in tests.
  }
  disconnect(): void {
    // Nothing resizes in tests.
  }
}
vi.stubGlobal('ResizeObserver', NoResizeObserver);
vi.stubGlobal('matchMedia', (query: string) => ({
  media: query,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
// jsdom decodes no images, so every image counts as valid by default.
HTMLImageElement.prototype.decode = () => Promise.resolve();
Element.prototype.scrollIntoView = () => undefined;
// The text editor asks for the position of its text.
const emptyRect = new DOMRect();
document.elementFromPoint = () => null;
Range.prototype.getBoundingClientRect = () => emptyRect;
Range.prototype.getClientRects = () => Object.assign([emptyRect], { item: () => emptyRect });
// The real channel would carry sign-outs from one test to the next.
vi.stubGlobal('BroadcastChannel', undefined);
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

// Long enough for a busy machine; a condition that is met ends the wait at once.
configure({ asyncUtilTimeout: 20_000 });

/** Closes all toasts, so that the next test does not find them. Some wait before they appear. */
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
  // The drafts of one test must not be mentioned at a sign-out in the next.
  clearStoredDrafts();
  // A sign-out in one test must not prevent the next test from starting a session.
  forgetPendingSignOut();
  // A memory router must not mistake the window's history for its own.
  window.history.replaceState(null, '');
  expect(takeIgnoredFields(), 'fields of a request that the portal ignores').toEqual([]);
});

// The files of a worker share one page and one set of modules. Timers and storage of one file must
// not reach the next.
const timers = getSharedTimers();
afterAll(() => {
  timers.clear();
  localStorage.clear();
  sessionStorage.clear();
});
