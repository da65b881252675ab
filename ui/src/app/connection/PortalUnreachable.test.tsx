import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import type { PortalConnection } from '../../api';
import { limits, messages } from '../../contract';
import { buildProblem, type SentRequest } from '../../test/portal';
import { capabilities, renderPortal } from '../../test/render';
import { passTime } from '../../test/timers';
import { PortalUnreachable } from './PortalUnreachable';

const RETRY_MS = limits.PORTAL_RETRY_SECONDS * 1_000;
const address = 'https://portal.example';
const hungPortal: PortalConnection = {
  address,
  cause: 'timeout',
  problem: `${address} does not answer.`,
  advice: 'Tell somebody.',
};
const refusingPortal: PortalConnection = {
  ...hungPortal,
  cause: 'not_listening',
  problem: 'Nothing accepts.',
};
const workingPortal: PortalConnection = { address, cause: null, problem: null, advice: null };

const otherPortal = { url: 'https://other.example', name: 'Other Lab', canRemove: true };

async function renderUnreachable(fixedBy: string | null = null) {
  let portal = hungPortal;
  const onBack = vi.fn();
  const view = await renderPortal(<PortalUnreachable connection={hungPortal} onBack={onBack} />, {
    answers: {
      'GET /device/portals': { current: address, fixedBy, portals: [otherPortal] },
      'POST /device/diagnostics/copy': { text: 'all', isCopied: true, folder: '/logs' },
      'DELETE /device/portals': () => new Response(null, { status: 204 }),
      'PUT /device/portals/current': ({ body }: SentRequest) =>
        (body as { url: string }).url === otherPortal.url
          ? (portal = workingPortal)
          : { ...refusingPortal, address: 'https://wrong.example' },
      'GET /capabilities': () => ({
        ...capabilities,
        host: 'desktop',
        lab: portal.cause === null ? capabilities.lab : null,
        portal,
      }),
    },
  });
  return { ...view, onBack, setPortal: (next: PortalConnection) => (portal = next) };
}

describe('A portal out of reach', () => {
  it('is named with its address, the cause, and what to do', async () => {
    await renderUnreachable();
    expect(screen.getByRole('alert')).toHaveTextContent(hungPortal.problem ?? '');
    expect(screen.getByText('Tell somebody.')).toBeVisible();
    expect(screen.getByText(`Portal: ${address}`)).toBeVisible();
  });

  it('updates the cause when it changes', async () => {
    const { setPortal } = await renderUnreachable();
    setPortal(refusingPortal);
    await passTime(RETRY_MS);
    expect(await screen.findByText('Nothing accepts.')).toBeVisible();
  });

  it('continues automatically when the portal answers', async () => {
    const { setPortal, onBack } = await renderUnreachable();
    setPortal(workingPortal);
    await passTime(RETRY_MS);
    await waitFor(() => expect(onBack).toHaveBeenCalledTimes(1));
    expect(onBack).toHaveBeenCalledWith(expect.objectContaining({ lab: capabilities.lab }));
  });

  it('is tried again at once with Retry, and later automatically', async () => {
    const { setPortal, onBack, user, requests } = await renderUnreachable();
    setPortal(refusingPortal);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Nothing accepts.')).toBeVisible();
    expect(requests.filter(({ path }) => path === '/capabilities')).toHaveLength(1);
    expect(onBack).not.toHaveBeenCalled();
    setPortal(workingPortal);
    await passTime(RETRY_MS);
    await waitFor(() => expect(onBack).toHaveBeenCalledTimes(1));
  });

  it('names the setting that chose it, and then offers no other', async () => {
    await renderUnreachable('/etc/lab-portal/desktop.json');
    const source = 'set by /etc/lab-portal/desktop.json';
    expect(await screen.findByText(`Portal: ${address} (${source})`)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Use another portal' })).toBeNull();
  });

  it('has diagnostics to copy', async () => {
    const { user } = await renderUnreachable();
    await user.click(screen.getByRole('button', { name: 'Copy diagnostics' }));
    expect(await screen.findByText(/Log files: \/logs/)).toBeVisible();
  });

  it('can be replaced by another portal that answers', async () => {
    const { user, onBack } = await renderUnreachable();
    await user.click(await screen.findByRole('button', { name: 'Use another portal' }));
    await user.type(screen.getByRole('textbox', { name: 'Address' }), 'wrong.example{Enter}');
    expect(await screen.findByText('Nothing accepts.')).toBeVisible();
    expect(onBack).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: /^Other Lab/ }));
    await waitFor(() => expect(onBack).toHaveBeenCalledTimes(1));
  });

  it('removes a portal that is no longer needed', async () => {
    const { user, requests } = await renderUnreachable();
    await user.click(await screen.findByRole('button', { name: 'Use another portal' }));
    await user.click(await screen.findByRole('button', { name: 'Remove Other Lab' }));
    await waitFor(() => expect(screen.queryByText('Other Lab')).toBeNull());
    expect(requests).toContainEqual(
      expect.objectContaining({ method: 'DELETE', path: '/device/portals' }),
    );
    expect(screen.getByRole('textbox', { name: 'Address' })).toHaveFocus();
  });
});

describe('The first start', () => {
  const noPortal: PortalConnection = {
    address: null,
    cause: 'not_chosen',
    problem: 'No portal yet.',
    advice: 'Enter one.',
  };

  it('asks for the portal and rejects what is not an address', async () => {
    const onBack = vi.fn();
    const { user } = await renderPortal(
      <PortalUnreachable connection={noPortal} onBack={onBack} />,
      {
        answers: {
          'GET /device/portals': { current: null, fixedBy: null, portals: [] },
          'PUT /device/portals/current': () =>
            buildProblem(400, 'bad_input', 'Not one.', [{ field: 'url', message: 'Not one.' }]),
        },
      },
    );
    expect(await screen.findByRole('heading', { name: 'Which portal?' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText(messages.VALUE_REQUIRED)).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Address' }), 'http://x{Enter}');
    expect(await screen.findByText('Not one.')).toBeVisible();
  });
});
