import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { Session } from '../api';
import { messages } from '../contract';
import { FakeBridge } from '../device/fake';
import { Channel } from '../test/channel';
import { installFakePortal, buildPage } from '../test/portal';
import { capabilities, buildProfile } from '../test/render';
import { enterComment, FORM, REQUISITION_PATH } from '../test/requisitionForm';
import { buildRequisition } from '../test/requisitions';
import { Providers } from './Providers';
import { createPortalRouter } from './router';

const DRAFT = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';

/** Opens the whole portal at an address, and a second window with its own session. */
async function openPortal(path: string) {
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
  });
  const [otherSession, session] = [new Session(), new Session()];
  await otherSession.start();
  await session.start();
  const [bridge, router] = [new FakeBridge(), createPortalRouter()];
  render(<Providers {...{ session, capabilities, bridge, router }} />);
  const hasStoredDraft = () => requests.some(({ method }) => method === 'PUT');
  return {
    otherSession,
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
    expect(screen.getByText(/logged out after 15 minutes without activity/)).toBeVisible();
    expect(screen.queryByText(new RegExp(messages.SIGNED_OUT_ELSEWHERE))).toBeNull();
  });
});
