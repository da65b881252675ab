import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { buildPage, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import AuditLog from './AuditLog';

const PATH = '/api/v2/audit-events';
const row = {
  id: 41,
  at: '2026-03-09T14:05:00+00:00',
  role: Role.CLIENT_BASIC,
  kind: 'order-results',
  action: 'read',
  what: 'Viewed results',
  isDenied: false,
  recordIds: [7, 8, 9],
  recordCount: 20,
  person: 'WANDA WALKER',
  records: [{ kind: 'order', id: 7, code: 'L260000007', name: 'EXAMPLE, ANN' }],
};

function openScreen(answers: Answers = {}, parameters: Record<string, string> = {}) {
  return renderPortal(<AuditLog />, {
    user: buildProfile(Role.SUPERUSER),
    parameters,
    answers: {
      [`GET ${PATH}`]: buildPage([row]),
      [`GET ${PATH}/41`]: {
        id: 41,
        requestId: 'r-9',
        detail: [{ name: 'Phone', value: '815-555-0100', old: null, isChange: true }],
        seal: 3,
        sealedAt: '2026-03-09T14:06:00+00:00',
      },
      'GET /api/v2/result-exports': [],
      ...answers,
    },
  });
}

describe('The audit log', () => {
  it('begins with today, and says in words who did what to which records', async () => {
    const { requests } = await openScreen();
    expect(await screen.findByText('Viewed results')).toBeVisible();
    expect(screen.getByText('WANDA WALKER')).toBeVisible();
    expect(screen.getByText('L260000007 EXAMPLE, ANN and 19 more')).toBeVisible();
    const first = requests.find(({ path }) => path.startsWith(PATH));
    expect(first?.query.get('startDate')).toBe(first?.query.get('endDate'));
    expect(first?.query.get('startDate')).toBe(getToday());
  });

  it('filters by act and outcome', async () => {
    const { user, requests } = await openScreen();
    await screen.findByText('Viewed results');
    await user.click(screen.getByRole('button', { name: 'What Any' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'What' }), 'Changed');
    await waitFor(() => expect(requests.at(-1)?.query.get('group')).toBe('changed'));
    await user.click(screen.getByRole('button', { name: 'Outcome Any' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'Denied');
    await waitFor(() => expect(requests.at(-1)?.query.get('outcome')).toBe('denied'));
  });

  it('leaves out continued sessions until somebody asks for them', async () => {
    const { user, requests } = await openScreen();
    await screen.findByText('Viewed results');
    const getLastQuery = () => requests.filter(({ path }) => path === PATH).at(-1)?.query;
    expect(getLastQuery()?.get('withoutUpkeep')).toBe('true');
    await user.click(screen.getByRole('checkbox', { name: 'Show continued sessions' }));
    await waitFor(() => expect(getLastQuery()?.get('withoutUpkeep')).toBeNull());
  });

  it('shows old and new values, and the seal', async () => {
    const { user } = await openScreen();
    await user.dblClick(await screen.findByText('Viewed results'));
    const dialog = await screen.findByRole('dialog', { name: 'Viewed results' });
    const line = await within(dialog).findByRole('row', { name: 'Phone – 815-555-0100' });
    expect(line).toBeVisible();
    expect(dialog).toHaveTextContent('seal 3');
    expect(dialog).toHaveTextContent('Request r-9.');
  });

  it('exports what was searched', async () => {
    const { user, requests } = await openScreen({ [`POST ${PATH}/export`]: { id: 1 } });
    await screen.findByText('Viewed results');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const dialog = await screen.findByRole('dialog', { name: 'Export Audit Log' });
    await user.click(within(dialog).getByRole('button', { name: 'Export' }));
    expect(await screen.findByText(messages.EXPORT_REQUESTED)).toBeVisible();
    const sentRequest = requests.find(({ path }) => path === `${PATH}/export`);
    expect(sentRequest?.body).toMatchObject({ format: 'csv', withoutUpkeep: true });
  });

  it('offers the access report only for a patient', async () => {
    await openScreen();
    await screen.findByText('Viewed results');
    const button = screen.getByRole('button', { name: 'Access Report' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAttribute('title', messages.ACCESS_REPORT_NEEDS_PATIENT);
  });

  it('opens the access report of the patient that a link names, for the last year', async () => {
    const { user, requests, device } = await openScreen(
      {},
      { patientId: '12', patientCode: 'P0000012' },
    );
    await screen.findByText('Viewed results');
    expect(screen.getByRole('button', { name: 'Patient P0000012' })).toBeVisible();
    expect(requests.find(({ path }) => path === PATH)?.query.get('patient')).toBe('12');
    await user.click(screen.getByRole('button', { name: 'Access Report' }));
    await waitFor(() =>
      expect(device.documents.at(-1)?.path).toMatch(
        /^\/api\/v2\/audit-events\/access-report\/12\?startDate=/,
      ),
    );
  });
});
