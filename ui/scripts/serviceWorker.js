/* global caches, fetch, self */
/**
 * The service worker of the installed web app. It stores files of the build alone, which have no
 * data: neither an answer of the portal nor a page with a patient is ever in its store.
 */
const CACHE = `portal-${'BUILD'}`;
const ASSETS = '/assets/';
const NO_STORE = 'no-store';

self.addEventListener('install', (event) => {
  // Calls of the portal bypass this worker, because a busy worker would delay its successor for
  // minutes. Browsers without routes call the listener below instead.
  const others = { condition: { not: { urlPattern: `${ASSETS}*` } }, source: 'network' };
  event.addRoutes?.(others).catch(() => undefined);
});

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

/** Takes over open windows, so that those of a first visit notice the next build too. */
async function takeOver() {
  await self.clients.claim();
  await removeOldFiles();
}

/** Removes files of earlier builds, unless a window of one may still load them. */
async function removeOldFiles() {
  const windows = await self.clients.matchAll({ type: 'window' });
  if (windows.length > 1) return;
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('portal-') && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener('message', (event) => {
  if (event.data === 'activate') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isAsset = url.origin === self.location.origin && url.pathname.startsWith(ASSETS);
  // Everything else goes to the network as if there were no service worker.
  if (request.method === 'GET' && isAsset && url.search === '') event.respondWith(load(request));
});

/** Returns a file of the build; its name has a hash of its content, so it never changes. */
async function load(request) {
  const stored = await caches.match(request);
  if (stored !== undefined) return stored;
  const response = await fetch(request);
  const caching = response.headers.get('cache-control') ?? '';
  if (response.ok && !caching.includes(NO_STORE)) {
    const cache = await caches.open(CACHE);
    await cache.put(request, response.clone());
  }
  return response;
}
