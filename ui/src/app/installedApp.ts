import { toasts } from '../components/toasts';
import { hasUnsavedChanges } from '../components/unsavedChanges';
import { limits, messages, say } from '../contract';

const WORKER = '/sw.js';
const NOTICE_MS = limits.UPDATE_RELOAD_SECONDS * 1000;

interface InstalledAppOptions {
  workers: Pick<
    ServiceWorkerContainer,
    'register' | 'controller' | 'addEventListener' | 'removeEventListener'
  >;
  reload: () => void;
}

/**
 * Registers the service worker once the page is stable, looks for a new version every five minutes,
 * and activates it after a notice, but never while a form has unsaved changes (P 4, P 9).
 * @returns the function that stops all of it
 */
export function followNewVersions({ workers, reload }: InstalledAppOptions): () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let hasWorker = workers.controller !== null;
  let isAnnounced = false;
  let isReloading = false;

  const wait = (seconds: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, seconds * 1000);
    timers.add(timer);
  };

  /** Runs the act after the delay, or later when nothing is unsaved. */
  const runWhenSaved = (act: () => void) => {
    if (hasUnsavedChanges()) {
      toasts.info(messages.NEW_VERSION_WAITS);
      wait(limits.UPDATE_RELOAD_SECONDS, () => runWhenSaved(act));
    } else act();
  };

  const announce = (registration: ServiceWorkerRegistration) => {
    // The first service worker of this browser is not a new version.
    if (isAnnounced || workers.controller === null) return;
    isAnnounced = true;
    toasts.info(say(messages.NEW_VERSION, { seconds: limits.UPDATE_RELOAD_SECONDS }), NOTICE_MS);
    // By then, a still newer version may have replaced the announced one.
    const activate = () => registration.waiting?.postMessage('activate');
    wait(limits.UPDATE_RELOAD_SECONDS, () => runWhenSaved(activate));
  };

  const follow = (registration: ServiceWorkerRegistration) => {
    const followInstalling = () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed') announce(registration);
      });
    };
    if (registration.waiting !== null) announce(registration);
    // Another window may have found a version that is still being installed.
    followInstalling();
    registration.addEventListener('updatefound', followInstalling);
    const check = () => {
      // Without a network there is nothing to find.
      registration.update().catch(() => undefined);
      wait(limits.UPDATE_CHECK_SECONDS, check);
    };
    wait(limits.UPDATE_CHECK_SECONDS, check);
  };

  // Another window may have activated the new version; this one follows when it has saved. The
  // first service worker of a browser has the version of the page, which needs no reload.
  const handleController = () => {
    const isNewVersion = hasWorker;
    hasWorker = true;
    if (!isNewVersion || isReloading) return;
    isReloading = true;
    runWhenSaved(reload);
  };
  workers.addEventListener('controllerchange', handleController);
  wait(limits.SERVICE_WORKER_SECONDS, () => {
    workers
      .register(WORKER, { updateViaCache: 'none' })
      .then(follow)
      // A browser may refuse the worker, as in a private window. The portal works without it.
      .catch(() => undefined);
  });
  return () => {
    workers.removeEventListener('controllerchange', handleController);
    for (const timer of timers) clearTimeout(timer);
  };
}
