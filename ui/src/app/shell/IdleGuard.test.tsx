import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { limits, messages, say } from '../../contract';
import { IDLE_SECONDS } from '../../lib/idleTime';
import { answerFirst, buildProblem } from '../../test/portal';
import { buildProfile, renderPortal } from '../../test/render';
import { IdleGuard } from './IdleGuard';

const idleMs = IDLE_SECONDS * 1_000;
const warning = say(messages.IDLE_WARNING, { seconds: limits.IDLE_WARNING_SECONDS });
const advanceTimers = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('An idle window', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('warns, then signs out a minute later', async () => {
    const { session } = await renderPortal(<IdleGuard />);
    await advanceTimers(idleMs - 2_000);
    expect(screen.queryByRole('alert')).toBeNull();
    await advanceTimers(3_000);
    expect(screen.getByRole('alert')).toHaveTextContent(warning);
    await advanceTimers(limits.IDLE_WARNING_SECONDS * 1_000);
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'idle' });
  });

  it('stays signed in while the user works in another window of the app', async () => {
    const read = () => Promise.resolve({ idleSeconds: 1, sessionsEnded: 0 });
    const { session } = await renderPortal(<IdleGuard />, {
      presence: { read, mark: () => undefined },
    });
    await advanceTimers(2 * idleMs);
    expect(session.getState().status).toBe('signedIn');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('ends quietly after another window has signed out', async () => {
    let sessionsEnded = 3;
    const read = () => Promise.resolve({ idleSeconds: 1, sessionsEnded });
    const { session, requests } = await renderPortal(<IdleGuard />, {
      presence: { read, mark: () => undefined },
    });
    await advanceTimers(20_000);
    expect(session.getState().status).toBe('signedIn');
    sessionsEnded = 4;
    await advanceTimers(10_000);
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'leftElsewhere' });
    expect(requests.some(({ path }) => path === '/auth/logout')).toBe(false);
  });

  it.each([
    { meanwhile: 'another user has signed in', idleSeconds: 1, sessionsEnded: 4 },
    { meanwhile: 'the user works in another window', idleSeconds: 1, sessionsEnded: 3 },
  ])('sends no logout after a sleep if $meanwhile', async ({ meanwhile: _, ...after }) => {
    let presence = { idleSeconds: 1, sessionsEnded: 3 };
    const { session, requests } = await renderPortal(<IdleGuard />, {
      presence: { read: () => Promise.resolve(presence), mark: () => undefined },
    });
    await advanceTimers(2_000);
    presence = after;
    vi.setSystemTime(Date.now() + 2 * idleMs);
    await advanceTimers(2_000);
    const hasNewSession = after.sessionsEnded > 3;
    expect(session.getState().status).toBe(hasNewSession ? 'signedOut' : 'signedIn');
    expect(requests.some(({ path }) => path === '/auth/logout')).toBe(false);
  });

  it('shows nothing after a sleep that was longer than the idle time', async () => {
    const { session } = await renderPortal(<IdleGuard />);
    vi.setSystemTime(Date.now() + (IDLE_SECONDS + limits.IDLE_WARNING_SECONDS) * 1_000);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    expect(document.body).not.toBeVisible();
    await advanceTimers(0);
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'idle' });
  });

  it('stores no readable page, and shows it again only while the session continues', async () => {
    const { requests } = await renderPortal(<IdleGuard />, {
      answers: { 'GET /auth/jwt/validate': { user: {} } },
    });
    window.dispatchEvent(new Event('pagehide'));
    expect(document.body).not.toBeVisible();
    window.dispatchEvent(new Event('pageshow'));
    expect(document.body).not.toBeVisible();
    await advanceTimers(0);
    expect(requests.some(({ path }) => path === '/auth/jwt/validate')).toBe(true);
    expect(document.body).toBeVisible();
  });

  it('asks every 15 seconds whether the session was ended elsewhere', async () => {
    const { session } = await renderPortal(<IdleGuard />, {
      answers: {
        'GET /auth/jwt/validate': () => buildProblem(401, 'unauthenticated', ''),
        'POST /auth/jwt/refresh': answerFirst({ token: 'token', user: buildProfile() }),
      },
    });
    expect(session.getState().status).toBe('signedIn');
    await advanceTimers(limits.KEEPALIVE_SECONDS * 1_000);
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'expired' });
  });
});
