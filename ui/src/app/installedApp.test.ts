import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { limits } from '../contract';
import { followNewVersions } from './installedApp';

class FakeWorker extends EventTarget {
  state = 'installing';
  readonly postMessage = vi.fn();

  constructor(private readonly registration: FakeRegistration) {
    super();
  }

  install(): void {
    this.state = 'installed';
    this.registration.installing = null;
    this.registration.waiting = this;
    this.dispatchEvent(new Event('statechange'));
  }
}

class FakeRegistration extends EventTarget {
  waiting: FakeWorker | null = null;
  installing: FakeWorker | null = null;
  readonly update = vi.fn(() => Promise.resolve());

  findUpdate(): FakeWorker {
    this.installing = new FakeWorker(this);
    this.dispatchEvent(new Event('updatefound'));
    return this.installing;
  }
}

class FakeContainer extends EventTarget {
  controller: object | null = {};
  readonly registration = new FakeRegistration();
  readonly register = vi.fn(() => Promise.resolve(this.registration));
}

const preventUnload = (event: Event) => event.preventDefault();
let stop: () => void = () => undefined;

function followVersions(controller: object | null = {}) {
  const workers = new FakeContainer();
  workers.controller = controller;
  const reload = vi.fn();
  stop = followNewVersions({ workers: workers as unknown as ServiceWorkerContainer, reload });
  return { workers, reload, registration: workers.registration };
}

const passSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
  window.removeEventListener('beforeunload', preventUnload);
  vi.useRealTimers();
});

describe('The installed web app', () => {
  it('registers its service worker after 30 seconds', async () => {
    const { workers } = followVersions();
    await passSeconds(limits.SERVICE_WORKER_SECONDS - 1);
    expect(workers.register).not.toHaveBeenCalled();
    await passSeconds(1);
    expect(workers.register).toHaveBeenCalledWith('/sw.js', { updateViaCache: 'none' });
  });

  it('looks for a new version every five minutes', async () => {
    const { registration } = followVersions();
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    await passSeconds(limits.UPDATE_CHECK_SECONDS * 2);
    expect(registration.update).toHaveBeenCalledTimes(2);
  });

  it('activates a new version 15 seconds after the notice, and reloads', async () => {
    const { workers, registration, reload } = followVersions();
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    const worker = registration.findUpdate();
    worker.install();
    await passSeconds(limits.UPDATE_RELOAD_SECONDS - 1);
    expect(worker.postMessage).not.toHaveBeenCalled();
    await passSeconds(1);
    expect(worker.postMessage).toHaveBeenCalledWith('activate');
    workers.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('waits while something is unsaved', async () => {
    const { registration, workers, reload } = followVersions();
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    window.addEventListener('beforeunload', preventUnload);
    const worker = registration.findUpdate();
    worker.install();
    await passSeconds(limits.UPDATE_RELOAD_SECONDS * 3);
    expect(worker.postMessage).not.toHaveBeenCalled();
    // Another window activates the version meanwhile.
    workers.dispatchEvent(new Event('controllerchange'));
    expect(reload).not.toHaveBeenCalled();
    window.removeEventListener('beforeunload', preventUnload);
    await passSeconds(limits.UPDATE_RELOAD_SECONDS);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('activates the newest of several versions', async () => {
    const { registration } = followVersions();
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    const olderWorker = registration.findUpdate();
    olderWorker.install();
    await passSeconds(1);
    const newestWorker = registration.findUpdate();
    newestWorker.install();
    await passSeconds(limits.UPDATE_RELOAD_SECONDS);
    expect(olderWorker.postMessage).not.toHaveBeenCalled();
    expect(newestWorker.postMessage).toHaveBeenCalledWith('activate');
  });

  it('announces a version that another window is installing', async () => {
    const { registration } = followVersions();
    const worker = registration.findUpdate();
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    worker.install();
    await passSeconds(limits.UPDATE_RELOAD_SECONDS);
    expect(worker.postMessage).toHaveBeenCalledWith('activate');
  });

  it('follows new versions even after the first installation', async () => {
    const { registration, workers, reload } = followVersions(null);
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    registration.findUpdate().install();
    workers.controller = {};
    workers.dispatchEvent(new Event('controllerchange'));
    expect(reload).not.toHaveBeenCalled();
    registration.findUpdate().install();
    await passSeconds(limits.UPDATE_RELOAD_SECONDS);
    workers.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('announces nothing when it is installed for the first time', async () => {
    const { registration, workers, reload } = followVersions(null);
    await passSeconds(limits.SERVICE_WORKER_SECONDS);
    const worker = registration.findUpdate();
    worker.install();
    await passSeconds(limits.UPDATE_RELOAD_SECONDS * 2);
    workers.dispatchEvent(new Event('controllerchange'));
    expect(worker.postMessage).not.toHaveBeenCalled();
    expect(reload).not.toHaveBeenCalled();
  });
});
