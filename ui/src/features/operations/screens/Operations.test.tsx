import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import Operations from './Operations';

const PATH = '/api/system/operations';
const state = {
  portal: { version: '0.1.0', revision: '0063', uptimeSeconds: 90 },
  database: {
    version: '18.1',
    bytes: 5_400_000,
    connections: 12,
    connectionsMax: 200,
    standbys: 0,
    lagSeconds: null,
    changesLastHour: 5_850,
    pools: [{ name: 'read', waits: 2_119, meanMilliseconds: 0.5 }],
  },
  jobs: {
    tasks: [{ name: 'sending.send', waiting: 2, running: 1, failed: 1, lagSeconds: 90 }],
    failed: [
      {
        id: 31,
        task: 'sending.send',
        attempts: 60,
        failedAt: '2026-03-09T14:05:00+00:00',
        nextTryAt: null as string | null,
      },
      {
        id: 32,
        task: 'exports.run',
        attempts: 9,
        failedAt: '2026-03-09T14:05:00+00:00',
        nextTryAt: '2026-03-09T14:45:00+00:00',
      },
    ],
    workers: 1,
  },
  deliveries: {
    kinds: [
      {
        kind: 'fax',
        waiting: 1,
        nextTryAt: '2026-03-09T15:05:00+00:00',
        failed: 4,
        sent: 9,
      },
    ],
    senders: [
      { name: 'email', isConfigured: false, lastSuccess: null, lastFailure: null },
      {
        name: 'fax',
        isConfigured: true,
        lastSuccess: '2026-03-09T14:05:00+00:00',
        lastFailure: null,
      },
    ],
  },
  backup: { at: null, ageSeconds: null, version: null, bytes: null, files: null, isOverdue: true },
  audit: {
    seal: 5,
    sealedAt: '2026-03-09T14:05:00+00:00',
    unsealedRows: 2,
    unsealedSince: null,
    isOverdue: false,
    verifiedAt: '2026-03-09T03:40:00+00:00',
    verifiedRows: 4_711,
    trouble: 'seal 3 was changed',
  },
};

function openScreen(answers: Answers = {}) {
  return renderPortal(<Operations />, {
    user: buildProfile(Role.SUPERUSER),
    answers: { [`GET ${PATH}`]: state, ...answers },
  });
}

describe('Operations', () => {
  it('shows the state of each part, and warns', async () => {
    await openScreen();
    const find = async (name: string) => screen.findByRole('region', { name });
    expect(await find('Portal')).toHaveTextContent('0063');
    const database = await find('Database');
    expect(database).toHaveTextContent('5.1 MB');
    expect(database).toHaveTextContent('0.5 ms on average, 2,119 times');
    expect(database).toHaveTextContent('Changes in the last hour5,850');
    expect(await find('Backup')).toHaveTextContent(messages.BACKUP_NONE);
    expect(await find('Audit log')).toHaveTextContent(
      'The audit log is broken: seal 3 was changed',
    );
    const deliveries = await find('Deliveries, last 24 hours');
    expect(
      within(deliveries).getByRole('row', { name: 'Fax 1 03/09/2026 03:05 PM 4 9' }),
    ).toBeVisible();
    expect(deliveries).toHaveTextContent('Not configured');
    expect(deliveries).toHaveTextContent('Last success 03/09/2026 02:05 PM, last failure never');
  });

  it('says when a job whose last try failed is tried again', async () => {
    await openScreen();
    const jobs = await screen.findByRole('table', { name: 'Failed jobs' });
    expect(
      within(jobs).getByRole('row', { name: /^31 .* 60 03\/09\/2026 02:05 PM None/ }),
    ).toBeVisible();
    expect(
      within(jobs).getByRole('row', {
        name: /^32 .* 9 03\/09\/2026 02:05 PM 03\/09\/2026 02:45 PM/,
      }),
    ).toBeVisible();
  });

  it('retries a failed job', async () => {
    const { user, requests } = await openScreen({
      [`POST ${PATH}/jobs/31/retry`]: new Response(null, { status: 204 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Retry job 31' }));
    expect(await screen.findByText(messages.JOB_RETRIED)).toBeVisible();
    await waitFor(() =>
      expect(requests.filter(({ method, path }) => method === 'GET' && path === PATH)).toHaveLength(
        2,
      ),
    );
  });

  it('says why a job cannot be retried', async () => {
    const { user } = await openScreen({
      [`POST ${PATH}/jobs/31/retry`]: buildProblem(
        409,
        'job_waits_already',
        messages.JOB_WAITS_ALREADY,
      ),
    });
    await user.click(await screen.findByRole('button', { name: 'Retry job 31' }));
    expect(await screen.findByText(messages.JOB_WAITS_ALREADY)).toBeVisible();
  });

  it('asks before a job is given up', async () => {
    const { user, requests } = await openScreen({
      [`POST ${PATH}/jobs/31/give-up`]: new Response(null, { status: 204 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Give up job 31' }));
    const dialog = await screen.findByRole('dialog', { name: 'Give Up Job' });
    expect(dialog).toHaveTextContent(messages.JOB_GIVE_UP_QUESTION);
    await user.click(within(dialog).getByRole('button', { name: 'Give up' }));
    expect(await screen.findByText(messages.JOB_GIVEN_UP)).toBeVisible();
    expect(requests.some(({ path }) => path === `${PATH}/jobs/31/give-up`)).toBe(true);
  });
});
