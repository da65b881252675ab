import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { Session } from '../api';
import { messages } from '../contract';
import { FakeBridge } from '../device/fake';
import { fakePortal, page } from '../test/portal';
import { capabilities, profile } from '../test/render';
import { comment, FORM, ONE } from '../test/requisitionForm';
import { requisition } from '../test/requisitions';
import { Providers } from './Providers';
import { createPortalRouter } from './router';

const DRAFT = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';

/** Reaches the other windows of one test, as the browser's does; the setup takes Node's away. */
class Channel extends EventTarget {
  private static readonly all = new Set<Channel>();
  constructor(private readonly name: string) {
    super();
    Channel.all.add(this);
  }
  postMessage(data: unknown) {
    for (const other of Channel.all) {
      if (other === this || other.name !== this.name) continue;
      queueMicrotask(() => other.dispatchEvent(new MessageEvent('message', { data })));
    }
  }
  close() {
    Channel.all.delete(this);
  }
}

/** The whole portal at an address, and what its person does in another window. */
async function open(path: string) {
  window.history.replaceState(null, '', path);
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(DRAFT);
  const seen = fakePortal({
    'POST /auth/jwt/refresh': { token: 'token', user: profile() },
    'POST /auth/logout': {},
    'GET /api/v2/orders/remote-operations': page([]),
    [`GET ${ONE}`]: requisition(),
    [`PUT /api/v2/requisitions/drafts/${DRAFT}`]: {},
  });
  const [another, session] = [new Session(), new Session()];
  await another.start();
  await session.start();
  const [bridge, router] = [new FakeBridge(), createPortalRouter()];
  render(<Providers {...{ session, capabilities, bridge, router }} />);
  const kept = () => seen.some(({ method }) => method === 'PUT');
  return { another, kept, where: () => router.state.location.pathname };
}

const notice = () => screen.findByText(new RegExp(messages.SIGNED_OUT_ELSEWHERE));

describe('A sign-out in another window', () => {
  it('is said on the sign-in page', async () => {
    const { another, where } = await open('/secured/results/lab');
    await screen.findByRole('heading', { name: 'Order Search' });
    await another.signOut('left');
    expect(await notice()).toBeVisible();
    expect(screen.queryByText(new RegExp(messages.DRAFT_KEPT))).toBeNull();
    expect(where()).toBe('/login');
  });

  it('tells whoever left an unsaved requisition that it is kept', async () => {
    const { another, kept } = await open(`${FORM};id=12`);
    await comment(userEvent.setup(), 'Fragile vein');
    await waitFor(() => expect(kept()).toBe(true));
    await another.signOut('left');
    expect(await notice()).toHaveTextContent(messages.DRAFT_KEPT);
  });

  it('that came by itself, after the idle time, is not taken for one', async () => {
    const { another } = await open('/secured/results/lab');
    await screen.findByRole('heading', { name: 'Order Search' });
    await another.signOut('idle');
    expect(await screen.findByText(messages.LOGIN_PROMPT)).toBeVisible();
    expect(screen.queryByText(new RegExp(messages.SIGNED_OUT_ELSEWHERE))).toBeNull();
  });
});
