import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { Role } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { WaitingStrip } from './WaitingStrip';

const PATH = 'GET /api/v2/waiting';
const SETTINGS = 'GET /api/system/settings/result-entry';
const denied = { allowed: false, reason: null };
const toSign = {
  kind: 'toSign',
  count: 5,
  isCapped: false,
  searched: 'requisitions',
  startDate: '2026-08-25',
  endDate: '2026-12-23',
  status: 1,
  signature: 'notSigned',
};
const cameIn = { ...toSign, kind: 'cameIn', count: 10_000, isCapped: true, signature: null };

const renderStrip = (role: Role, answer: unknown, canEnterResults = denied) =>
  renderPortal(<WaitingStrip />, {
    user: buildProfile(role),
    answers: {
      [PATH]: answer,
      [SETTINGS]: { canEnterResults, canReleaseResults: denied },
    },
  });

describe('The strip of counts', () => {
  it('links each count to the search that it counts', async () => {
    await renderStrip(Role.PHYSICIAN, [toSign]);
    expect(await screen.findByRole('link', { name: '5 to sign' })).toHaveAttribute(
      'href',
      '/secured/requisitions/search;startDate=2026-08-25;endDate=2026-12-23;status=1;signature=notSigned',
    );
  });

  it('links orders to collect again to their search', async () => {
    const toRecollect = {
      ...cameIn,
      kind: 'toRecollect',
      searched: 'orders',
      awaitsCollection: true,
    };
    await renderStrip(Role.CLIENT_BASIC, [
      { ...toRecollect, count: 1, isCapped: false, status: 127 },
    ]);
    expect(await screen.findByRole('link', { name: '1 to collect again' })).toHaveAttribute(
      'href',
      '/secured/results/lab;startDate=2026-08-25;endDate=2026-12-23;status=127;awaitsCollection=true',
    );
  });

  it('links unread alerts to the search for orders that a physician has not read', async () => {
    const alerts = { ...cameIn, kind: 'alerts', searched: 'orders', status: 127 };
    await renderStrip(Role.PHYSICIAN, [
      { ...alerts, count: 3, isCapped: false, alertResults: true, unreadByPhysician: true },
    ]);
    expect(await screen.findByRole('link', { name: '3 unread alerts' })).toHaveAttribute(
      'href',
      '/secured/results/lab;startDate=2026-08-25;endDate=2026-12-23;status=127;alertResults=true;unreadByPhysician=true',
    );
  });

  it('leads people who enter results to their worklist, and others to the order search', async () => {
    const orders = { ...cameIn, searched: 'orders', status: 3 };
    const query = ';startDate=2026-08-25;endDate=2026-12-23;status=3';
    const view = await renderStrip(Role.LABORATORY, [orders], { allowed: true, reason: null });
    const link = await screen.findByRole('link', { name: '10,000+ came in, no results yet' });
    await waitFor(() => expect(link).toHaveAttribute('href', `/secured/result-entry${query}`));
    view.unmount();
    await renderStrip(Role.LABORATORY, [orders]);
    expect(await screen.findByRole('link', { name: /came in/ })).toHaveAttribute(
      'href',
      `/secured/results/lab${query}`,
    );
  });

  it('reserves the space of each count until it is known, and shows a dash after a failure', async () => {
    await renderStrip(Role.CLIENT_BASIC, () => buildProblem(500, 'unexpected', 'failed'));
    expect(screen.getByText('to sign')).toBeVisible();
    expect(screen.getByText('to collect today')).toBeVisible();
    expect(await screen.findAllByText('–')).toHaveLength(5);
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  it('requests nothing for a patient', async () => {
    const view = await renderStrip(Role.PATIENT, []);
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    expect(view.requests.filter(({ path }) => path.endsWith('/waiting'))).toEqual([]);
  });

  it('counts again when somebody changes a record', async () => {
    let count = 5;
    const event = 'id: 1-1\nevent: change\ndata: {"kind": "order", "id": 1, "version": 2}\n\n';
    await renderPortal(<WaitingStrip />, {
      user: buildProfile(Role.PHYSICIAN),
      answers: {
        [PATH]: () => [{ ...toSign, count: count++ }],
        'GET /api/v2/changes': () =>
          new Response(event, { headers: { 'Content-Type': 'text/event-stream' } }),
        [SETTINGS]: { canEnterResults: denied, canReleaseResults: denied },
      },
    });
    expect(await screen.findByRole('link', { name: '5 to sign' })).toBeVisible();
    expect(await screen.findByRole('link', { name: '6 to sign' }, { timeout: 9000 })).toBeVisible();
  }, 15_000);
});
