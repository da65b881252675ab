import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { limits, messages, say } from '../../contract';
import { renderPortal } from '../../test/render';
import { IdleGuard } from './IdleGuard';

const idleMs = limits.IDLE_SECONDS * 1_000;
const warning = say(messages.IDLE_WARNING, { seconds: limits.IDLE_WARNING_SECONDS });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('An idle window', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('warns, and signs out a minute later', async () => {
    const { session } = await renderPortal(<IdleGuard />);
    await pass(idleMs - 2_000);
    expect(screen.queryByRole('alert')).toBeNull();
    await pass(3_000);
    expect(screen.getByRole('alert')).toHaveTextContent(warning);
    await pass(limits.IDLE_WARNING_SECONDS * 1_000);
    expect(session.state()).toMatchObject({ status: 'signedOut', reason: 'idle' });
  });

  it('stays open while somebody works in another window of the app', async () => {
    const read = () => Promise.resolve({ idleSeconds: 1, sessionsEnded: 0 });
    const { session } = await renderPortal(<IdleGuard />, {
      presence: { read, mark: () => undefined },
    });
    await pass(2 * idleMs);
    expect(session.state().status).toBe('signedIn');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows nothing more once another window has signed out, and ends nobody else', async () => {
    let sessionsEnded = 3;
    const read = () => Promise.resolve({ idleSeconds: 1, sessionsEnded });
    const { session, seen } = await renderPortal(<IdleGuard />, {
      presence: { read, mark: () => undefined },
    });
    await pass(20_000);
    expect(session.state().status).toBe('signedIn');
    sessionsEnded = 4;
    await pass(10_000);
    expect(session.state()).toMatchObject({ status: 'signedOut', reason: 'leftElsewhere' });
    expect(seen.some(({ path }) => path === '/auth/logout')).toBe(false);
  });

  it.each([
    { meanwhile: 'somebody else has signed in', idleSeconds: 1, sessionsEnded: 4 },
    { meanwhile: 'its person works in another window', idleSeconds: 1, sessionsEnded: 3 },
  ])('whose clock slept ends no session where $meanwhile', async ({ meanwhile: _, ...after }) => {
    let now = { idleSeconds: 1, sessionsEnded: 3 };
    const { session, seen } = await renderPortal(<IdleGuard />, {
      presence: { read: () => Promise.resolve(now), mark: () => undefined },
    });
    await pass(2_000);
    now = after;
    vi.setSystemTime(Date.now() + 2 * idleMs);
    await pass(2_000);
    const isAnothers = after.sessionsEnded > 3;
    expect(session.state().status).toBe(isAnothers ? 'signedOut' : 'signedIn');
    expect(seen.some(({ path }) => path === '/auth/logout')).toBe(false);
  });
});
