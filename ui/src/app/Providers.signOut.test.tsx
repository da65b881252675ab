import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { Session } from '../api';
import { messages, say } from '../contract';
import { FakeBridge } from '../device/fake';
import { IDLE_SECONDS } from '../lib/idleTime';
import { Channel } from '../test/channel';
import { answerFirst, installFakePortal, buildPage, type Answers } from '../test/portal';
import { capabilities, buildProfile } from '../test/render';
import { enterComment, FORM, REQUISITION_PATH } from '../test/requisitionForm';
import { buildRequisition } from '../test/requisitions';
import { Providers } from './Providers';
import { createPortalRouter } from './router';

const idleNotice = say(messages.IDLE_LOGGED_OUT, { minutes: IDLE_SECONDS / 60 });
const DRAFT = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';

/** Opens the whole portal at an address, and a second window with its own session. */
async function openPortal(path: string, answers: Answers = {}) {
  window.history.replaceState(null, '', path);
  Channel.closeAll();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(DRAFT);
  const requests = installFakePortal({
    'POST /auth/jwt/refresh': { token: 'token', user: buildProfile() },
    'POST /auth/logout': {},
    'GET /api/v2/orders/remote-operations': buildPage([]),
    [`GET ${REQUISITION_PATH}`]: buildRequisition(),
    [`PUT /api/v2/requisitions/drafts/${DRAFT}`]: {},
    ...answers,
  });
  const [otherSession, session] = [new Session(), new Session()];
  await otherSession.start();
  await session.start();
  const [bridge, router] = [new FakeBridge(), createPortalRouter()];
  render(
    <Providers session={session} capabilities={capabilities} bridge={bridge} router={router} />,
  );
  const hasStoredDraft = () => requests.some(({ method }) => method === 'PUT');
  return {
    session,
    otherSession,
    requests,
    hasStoredDraft,
    getPathname: () => router.state.location.pathname,
  };
}

const findNotice = () => screen.findByText(new RegExp(messages.SIGNED_OUT_ELSEWHERE));

describe('A sign-out in another window', () => {
  it('is announced on the sign-in page', async () => {
    const { otherSession, getPathname } = await openPortal('/secured/results/lab');
    await screen.findByRole('heading', { name: 'Order Search' });
    await otherSession.signOut('left');
    expect(await findNotice()).toBeVisible();
    expect(screen.queryByText(new RegExp(messages.DRAFT_KEPT))).toBeNull();
    expect(getPathname()).toBe('/login');
  });

  it('says that an unsaved requisition was stored as a draft', async () => {
    const { otherSession, hasStoredDraft } = await openPortal(`${FORM};id=12`);
    await enterComment(userEvent.setup(), 'Fragile vein');
    await waitFor(() => expect(hasStoredDraft()).toBe(true));
    await otherSession.signOut('left');
    expect(await findNotice()).toHaveTextContent(messages.DRAFT_KEPT);
  });

  it('is announced with its reason after an idle timeout', async () => {
    const { otherSession } = await openPortal('/secured/results/lab');
    await screen.findByRole('heading', { name: 'Order Search' });
    await otherSession.signOut('idle');
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(screen.getByText(idleNotice)).toBeVisible();
    expect(screen.queryByText(new RegExp(messages.SIGNED_OUT_ELSEWHERE))).toBeNull();
  });
});

const failToConnect = () => Promise.reject(new TypeError('Failed to fetch'));
const findIdleNotice = () => screen.findByText(idleNotice);

describe('An idle timeout without a connection', () => {
  it('leads to the sign-in page with its reason, and shows nothing of a patient', async () => {
    const { session, getPathname } = await openPortal(`${FORM};id=12`, {
      'POST /auth/logout': failToConnect,
    });
    await screen.findAllByText(/OKONKWO/);
    await session.signOut('idle');
    expect(await findIdleNotice()).toBeVisible();
    expect(getPathname()).toBe('/login');
    expect(document.body).not.toHaveTextContent('OKONKWO');
    expect(document.title).not.toContain('R26');
  });

  it('ends the session, which the cookie would resume, when the page starts again', async () => {
    let isReachable = false;
    const { session, requests } = await openPortal('/secured/results/lab', {
      'POST /auth/logout': () => (isReachable ? {} : failToConnect()),
    });
    await screen.findByRole('heading', { name: 'Order Search' });
    await session.signOut('idle');
    isReachable = true;
    requests.length = 0;
    const nextSession = new Session();
    await nextSession.start();
    expect(nextSession.getState()).toMatchObject({ status: 'signedOut', reason: 'idle' });
    expect(requests.map(({ path }) => path)).toEqual(['/auth/logout']);
    const laterSession = new Session();
    await laterSession.start();
    expect(requests.map(({ path }) => path)).toEqual(['/auth/logout', '/auth/jwt/refresh']);
  });

  it('is forgotten by the next sign-in', async () => {
    const { session } = await openPortal('/secured/results/lab', {
      'POST /auth/logout': failToConnect,
      'POST /auth/login': { token: 'token', user: buildProfile() },
    });
    await session.signOut('idle');
    await session.signIn('dana@lab.test', 'password');
    const nextSession = new Session();
    await nextSession.start();
    expect(nextSession.getState().status).toBe('signedIn');
  });
});

describe('A session that ends after an update of the portal', () => {
  it.each(['idle', 'expired'] as const)('leads to the sign-in page: %s', async (reason) => {
    vi.doMock('./ExpiredDialog', () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    const { session, getPathname } = await openPortal('/secured/results/lab', {
      'POST /auth/jwt/refresh': answerFirst({ token: 'token', user: buildProfile() }, 2),
    });
    await screen.findByRole('heading', { name: 'Order Search' });
    if (reason === 'idle') await session.signOut('idle');
    else await session.renew();
    const notice =
      reason === 'idle' ? findIdleNotice() : screen.findByText(messages.SESSION_EXPIRED);
    expect(await notice).toBeVisible();
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(getPathname()).toBe('/login');
    vi.doUnmock('./ExpiredDialog');
  });
});
