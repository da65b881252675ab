import { describe, expect, it, vi } from 'vitest';

import { Channel } from '../test/channel';
import { installFakePortal, buildProblem } from '../test/portal';
import { buildProfile } from '../test/render';
import { Session } from './session';

/** Starts a session whose second renewal waits for its answer. */
async function startRenewal() {
  Channel.closeAll();
  vi.stubGlobal('BroadcastChannel', Channel);
  let answerRenewal: (answer: unknown) => void = () => undefined;
  let renewals = 0;
  const answer = { token: 'token', user: buildProfile() };
  installFakePortal({
    'POST /auth/jwt/refresh': () =>
      ++renewals === 1 ? answer : new Promise((resolve) => (answerRenewal = resolve)),
    'POST /auth/logout': {},
    'POST /auth/login': answer,
  });
  const session = new Session();
  await session.start();
  const renewal = session.renew();
  await vi.waitFor(() => expect(renewals).toBe(2));
  const finishRenewal = async (lateAnswer: unknown) => {
    answerRenewal(lateAnswer);
    return renewal;
  };
  return { session, answer, finishRenewal };
}

const buildRejection = () => buildProblem(401, 'unauthenticated', '');

describe('A renewal that is answered late', () => {
  it('does not open a session that was signed out meanwhile', async () => {
    const { session, answer, finishRenewal } = await startRenewal();
    await session.signOut('idle');
    expect(await finishRenewal(answer)).toBe(false);
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'idle' });
  });

  it('does not end a session that was signed in meanwhile', async () => {
    const { session, finishRenewal } = await startRenewal();
    await session.signOut('idle');
    await session.signIn('someone@demo.lab', 'Portal-2026!');
    expect(await finishRenewal(buildRejection())).toBe(true);
    expect(session.getState().status).toBe('signedIn');
  });

  it('ends the session that it was for', async () => {
    const { session, finishRenewal } = await startRenewal();
    expect(await finishRenewal(buildRejection())).toBe(false);
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'expired' });
  });
});

describe('A start while the portal cannot renew sessions', () => {
  it('does not sign the user out, and starts once the portal can', async () => {
    let isUp = false;
    installFakePortal({
      'POST /auth/jwt/refresh': () =>
        isUp ? { token: 'token', user: buildProfile() } : buildProblem(503, 'unavailable', ''),
    });
    const session = new Session();
    await expect(session.start()).rejects.toThrow();
    expect(session.getState().status).toBe('starting');
    isUp = true;
    await session.start();
    expect(session.getState().status).toBe('signedIn');
  });
});
