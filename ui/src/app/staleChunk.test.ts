import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { buildProblem, installFakePortal } from '../test/portal';
import { passTime } from '../test/timers';
import { reloadOnStaleChunk } from './staleChunk';

let stop = (): void => undefined;

/** Fails to load a chunk, on a portal with this answer. */
function failToLoadChunk(capabilities: unknown, isSignedOut = false) {
  sessionStorage.clear();
  const requests = installFakePortal({ 'GET /capabilities': capabilities });
  const reload = vi.fn();
  stop = reloadOnStaleChunk(() => isSignedOut, reload);
  const dispatchError = () => window.dispatchEvent(new Event('vite:preloadError'));
  dispatchError();
  return { requests, reload, dispatchError };
}

describe('A chunk of a newer release', () => {
  afterEach(() => stop());

  it('reloads the page once', async () => {
    const { reload, dispatchError } = failToLoadChunk({ lab: {} });
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    dispatchError();
    await passTime(20);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('does not reload a page that the portal could not deliver', async () => {
    const { reload, requests } = failToLoadChunk(buildProblem(503, 'unavailable', ''));
    await waitFor(() => expect(requests).toHaveLength(1));
    await passTime(20);
    expect(reload).not.toHaveBeenCalled();
  });

  it('does not reload the page of a session that has ended', async () => {
    const { reload, requests } = failToLoadChunk({ lab: {} }, true);
    await passTime(20);
    expect(requests).toHaveLength(0);
    expect(reload).not.toHaveBeenCalled();
  });
});
