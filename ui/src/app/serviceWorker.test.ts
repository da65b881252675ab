/** The service worker itself: what it answers, and what it stores. */
import { readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';

const SOURCE = readFileSync('scripts/serviceWorker.js', 'utf8');
const ORIGIN = 'https://portal.lab.example';

interface FakeFetch {
  request: { method: string; url: string };
  respondWith: (answer: Promise<unknown>) => void;
}

/** Runs the source with fake globals, and returns a function that requests a URL. */
function runWorker() {
  const handlers = new Map<string, (event: FakeFetch) => void>();
  const storedUrls: string[] = [];
  const caches = {
    match: () => Promise.resolve(undefined),
    open: () =>
      Promise.resolve({ put: (request: { url: string }) => void storedUrls.push(request.url) }),
  };
  const response = { ok: true, headers: new Headers(), clone: () => response };
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, handler: (event: FakeFetch) => void) =>
      handlers.set(name, handler),
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the worker is not a module
  const run = new Function('self', 'caches', 'fetch', SOURCE) as (...globals: unknown[]) => void;
  run(self, caches, () => Promise.resolve(response));
  const ask = async (url: string, method = 'GET') => {
    const respondWith = vi.fn((answer: Promise<unknown>) => void answer);
    handlers.get('fetch')?.({ request: { method, url }, respondWith });
    await respondWith.mock.calls[0]?.[0];
    return respondWith.mock.calls.length > 0;
  };
  return { ask, storedUrls };
}

describe('The service worker', () => {
  it('stores files of the build', async () => {
    const { ask, storedUrls } = runWorker();
    expect(await ask(`${ORIGIN}/assets/index-4f2a.js`)).toBe(true);
    expect(storedUrls).toEqual([`${ORIGIN}/assets/index-4f2a.js`]);
  });

  it.each([
    '/api/v2/patients/12',
    '/auth/jwt/validate',
    '/capabilities',
    '/secured/results/order;id=12',
    '/',
    '/assets/x.js?patient=1',
    '/fhir/Patient/1',
    '/device/printers',
  ])('leaves %s alone', async (path) => {
    const { ask, storedUrls } = runWorker();
    expect(await ask(ORIGIN + path)).toBe(false);
    expect(storedUrls).toEqual([]);
  });

  it('leaves writes and other sites alone', async () => {
    const { ask, storedUrls } = runWorker();
    expect(await ask(`${ORIGIN}/assets/index-4f2a.js`, 'POST')).toBe(false);
    expect(await ask('https://elsewhere.example/assets/index.js')).toBe(false);
    expect(storedUrls).toEqual([]);
  });
});
