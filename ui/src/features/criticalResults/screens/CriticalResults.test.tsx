import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import {
  buildPage,
  buildProblem,
  createChangeStream,
  type Answers,
  type SentRequest,
} from '../../../test/portal';
import { LeavingScreen, leaveAndReturn } from '../../../test/leaving';
import { buildProfile, renderPortal } from '../../../test/render';
import CriticalResults from './CriticalResults';

const PATH = '/api/v2/critical-results';
const potassium = {
  name: 'POTASSIUM',
  result: '7.2 mmol/L',
  flag: 'HH' as string | null,
  isReplaced: false,
  replacedBy: null as string | null,
  corrects: null as string | null,
};
const row = {
  id: 7,
  orderId: 12,
  codeValue: 'L260000012',
  openedAt: '2026-03-04T10:00:00+00:00',
  dueAt: '2026-03-04T10:30:00+00:00',
  toldAt: null,
  closedAt: null,
  isOverdue: true,
  status: 1,
  patientLastName: 'LOPEZ',
  patientFirstName: 'MARIA',
  patientDoB: '1961-03-04',
  client: 'LAKE CARE',
  version: 3,
  toldName: null,
  results: [{ ...potassium }],
};
const notice = {
  id: 7,
  version: 3,
  orderId: 12,
  codeValue: 'L260000012',
  clientName: 'LAKE CARE',
  clientPhone: '312-555-0100',
  patientLastName: 'LOPEZ',
  patientFirstName: 'MARIA',
  patientBirthDate: '1961-03-04',
  physicianName: null,
  collectionDate: '2026-03-04T08:00:00',
  openedAt: row.openedAt,
  dueAt: row.dueAt,
  isOverdue: true,
  toldAt: null as string | null,
  closedAt: null,
  closedBy: null,
  closingNote: null,
  items: [{ ...potassium, releasedAt: '2026-03-04T10:00:00' }],
  contacts: [
    {
      position: 1,
      name: 'CHARGE NURSE',
      duty: 'Ward',
      phone: '312-555-0101',
      email: 'c@x.example',
      hours: 'Mon-Fri 8-17',
      isOpen: false,
    },
    {
      position: 2,
      name: 'ON-CALL PHYSICIAN',
      duty: null,
      phone: '312-555-0102',
      email: null,
      hours: null as string | null,
      isOpen: true,
    },
  ],
  calls: [] as unknown[],
  alerts: [
    {
      position: 1,
      name: 'CHARGE NURSE',
      email: 'c@x.example',
      createdAt: row.openedAt,
      sentAt: row.openedAt,
      hasFailed: false,
    },
  ],
  canTell: { allowed: true, reason: null as string | null },
};
const call = {
  toldName: 'Ann',
  method: 'phone',
  isTold: true,
  hasReadBack: true,
  note: null,
  madeBy: 'Lab Staff',
  madeAt: '2026-03-04T10:12:00+00:00',
};

async function openNotice(answers: Answers = {}, role: Role = Role.LABORATORY) {
  const view = await renderPortal(<CriticalResults />, {
    user: buildProfile(role),
    answers: {
      [`GET ${PATH}/remote-operations`]: buildPage([row]),
      [`GET ${PATH}/7`]: notice,
      ...answers,
    },
  });
  await view.user.dblClick(await screen.findByRole('gridcell', { name: 'L260000012' }));
  const dialog = await screen.findByRole('dialog', { name: 'Critical Result of L260000012' });
  await within(dialog).findAllByText('POTASSIUM');
  return { ...view, dialog: within(dialog) };
}

describe('Critical results', () => {
  it('lists open notices first, and says which are overdue', async () => {
    const view = await renderPortal(<CriticalResults />, {
      user: buildProfile(Role.LABORATORY),
      answers: { [`GET ${PATH}/remote-operations`]: buildPage([row]) },
    });
    expect(await screen.findByText('OVERDUE')).toBeVisible();
    expect(screen.getByRole('gridcell', { name: 'HH POTASSIUM 7.2 mmol/L' })).toBeVisible();
    const getLastQuery = () =>
      view.requests
        .filter(
          ({ path, query }) => path.endsWith('remote-operations') && query.get('take') !== '1',
        )
        .at(-1)?.query;
    expect(getLastQuery()?.get('status')).toBe('1');
    await view.user.click(screen.getByRole('radio', { name: 'Closed' }));
    await waitFor(() => expect(getLastQuery()?.get('status')).toBe('2'));
  });

  it('have the same filter when the user comes back from an order', async () => {
    const view = await renderPortal(
      <LeavingScreen>
        <CriticalResults />
      </LeavingScreen>,
      {
        user: buildProfile(Role.LABORATORY),
        answers: { [`GET ${PATH}/remote-operations`]: buildPage([row]) },
      },
    );
    await view.user.click(await screen.findByRole('radio', { name: 'Closed' }));
    await leaveAndReturn(view);
    expect(await screen.findByRole('radio', { name: 'Closed' })).toBeChecked();
  });

  it('have no column for results outside the lab, because it would be empty', async () => {
    await renderPortal(<CriticalResults />, {
      user: buildProfile(Role.PHYSICIAN),
      answers: { [`GET ${PATH}/remote-operations`]: buildPage([{ ...row, results: [] }]) },
    });
    expect(await screen.findByText('OVERDUE')).toBeVisible();
    expect(screen.getByRole('columnheader', { name: 'Reported to' })).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Results' })).toBeNull();
  });

  it('shows above the list the numbers of open, closed, and all notices', async () => {
    await renderPortal(<CriticalResults />, {
      user: buildProfile(Role.LABORATORY),
      answers: {
        [`GET ${PATH}/remote-operations`]: ({ query }: { query: URLSearchParams }) => ({
          ...buildPage([row]),
          totalCount: { '1': 6, '2': 40, '3': 46 }[query.get('status') ?? ''] ?? 0,
        }),
      },
    });
    const progress = within(await screen.findByRole('radiogroup', { name: 'Progress' }));
    for (const count of ['6', '40', '46']) expect(await progress.findByText(count)).toBeVisible();
  });

  it('shows the alert of each of two contacts with the same name', async () => {
    const [ward, onCall] = notice.contacts;
    const { dialog } = await openNotice({
      [`GET ${PATH}/7`]: {
        ...notice,
        contacts: [ward, { ...onCall, name: 'CHARGE NURSE', email: 'd@x.example' }],
      },
    });
    const rows = dialog.getAllByRole('row', { name: /CHARGE NURSE/ });
    expect(rows).toHaveLength(2);
    expect(rows.map((element) => within(element).queryByText(/^E-mail /) !== null)).toEqual([
      true,
      false,
    ]);
  });

  it('says that nobody else is alerted while the client sees none of the results', async () => {
    const items = [{ ...potassium, isReplaced: true, releasedAt: '2026-03-04T10:00:00' }];
    const { dialog } = await openNotice({ [`GET ${PATH}/7`]: { ...notice, items } });
    expect(dialog.getByText(messages.CRITICAL_ALERTS_WAIT)).toBeVisible();
  });

  it('does not say that corrected results are hidden or shown again', async () => {
    const item = { ...potassium, isReplaced: true, replacedBy: '4.1 mmol/L' };
    const items = [{ ...item, releasedAt: '2026-03-04T10:00:00' }];
    const { dialog } = await openNotice({ [`GET ${PATH}/7`]: { ...notice, items } });
    expect(dialog.getByText(messages.CRITICAL_ALL_CORRECTED)).toBeVisible();
    expect(dialog.queryByText(messages.CRITICAL_ALERTS_WAIT)).toBeNull();
  });

  it('shows the later state of a result that was corrected or withdrawn', async () => {
    const results = [
      { ...potassium, isReplaced: true, replacedBy: '4.1 mmol/L' },
      { ...potassium, name: 'SODIUM', result: '101 mmol/L', flag: 'LL', isReplaced: true },
      { ...potassium, result: '4.1 mmol/L', flag: null, corrects: '7.2 mmol/L' },
    ];
    const items = results.map((item) => ({ ...item, releasedAt: '2026-03-04T10:00:00' }));
    const { dialog } = await openNotice({
      [`GET ${PATH}/remote-operations`]: buildPage([{ ...row, results }]),
      [`GET ${PATH}/7`]: { ...notice, items },
    });
    const texts = [
      'HH POTASSIUM 7.2 mmol/L, corrected to 4.1 mmol/L',
      'LL SODIUM 101 mmol/L, no longer shown: withdrawn or under review',
      'POTASSIUM 4.1 mmol/L, correction of 7.2 mmol/L',
    ];
    // The dialog hides the list from screen readers.
    const cell = screen.getByRole('gridcell', { name: texts.join('; '), hidden: true });
    expect(cell).toBeVisible();
    expect(dialog.getByText(messages.CRITICAL_TELL_PRESENT)).toBeVisible();
    expect(
      dialog.getByRole('row', {
        name: 'POTASSIUM 7.2 mmol/L HH 03/04/2026 10:00 AM corrected to 4.1 mmol/L',
      }),
    ).toBeVisible();
  });

  it('says how many notices have changed, without moving the rows', async () => {
    const changes = createChangeStream();
    let rows = [row];
    const view = await renderPortal(<CriticalResults />, {
      user: buildProfile(Role.LABORATORY),
      answers: {
        [`GET ${PATH}/remote-operations`]: () => buildPage(rows),
        'GET /api/v2/changes': changes.answer,
      },
    });
    expect(await screen.findByText('OVERDUE')).toBeVisible();
    rows = [
      { ...row, version: row.version + 1 },
      { ...row, id: 8, codeValue: 'L260000013' },
    ];
    changes.announce({ kind: 'order', id: 13, version: 2 });
    const refresh = { name: '2 changes, refresh' };
    const button = await screen.findByRole('button', refresh, { timeout: 5000 });
    expect(screen.queryByRole('gridcell', { name: 'L260000013' })).toBeNull();
    await view.user.click(button);
    expect(await screen.findByRole('gridcell', { name: 'L260000013' })).toBeVisible();
    expect(screen.queryByRole('button', refresh)).toBeNull();
  }, 15_000);

  it('no longer shows the notice of an order that was moved to another physician', async () => {
    const changes = createChangeStream();
    let rows = [row, { ...row, id: 8, orderId: row.orderId + 1, codeValue: 'L260000013' }];
    await renderPortal(<CriticalResults />, {
      user: buildProfile(Role.PHYSICIAN),
      answers: {
        [`GET ${PATH}/remote-operations`]: ({ query }: SentRequest) => {
          const ids = query.getAll('orderIds').map(Number);
          return buildPage(rows.filter(({ orderId }) => ids.length === 0 || ids.includes(orderId)));
        },
        'GET /api/v2/changes': changes.answer,
      },
    });
    expect(await screen.findByRole('gridcell', { name: 'L260000013' })).toBeVisible();
    rows = [row];
    changes.announce({ kind: 'order', id: row.orderId + 1, version: 2 });
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'L260000013' })).toBeNull(), {
      timeout: 5000,
    });
    expect(screen.queryByRole('button', { name: /refresh$/ })).toBeNull();
  }, 15_000);

  it('shows a correction in the open dialog, and records no call for the earlier result', async () => {
    const changes = createChangeStream();
    let present = notice;
    const { dialog, user, requests } = await openNotice({
      [`GET ${PATH}/7`]: () => present,
      [`POST ${PATH}/7/calls`]: ({ headers }: SentRequest) =>
        headers.get('If-Match') === `"${present.version}"`
          ? { ...present, calls: [call] }
          : buildProblem(412, 'stale_version', ''),
      'GET /api/v2/changes': changes.answer,
    });
    await user.type(dialog.getByRole('textbox', { name: /Person called/ }), 'Ann');
    present = {
      ...notice,
      version: notice.version + 1,
      items: notice.items.map((item) => ({ ...item, isReplaced: true, replacedBy: '4.1 mmol/L' })),
    };
    changes.announce({ kind: 'order', id: row.orderId, version: 2 });
    expect(await dialog.findByText('corrected to 4.1 mmol/L')).toBeVisible();
    const button = dialog.getByRole('button', { name: 'Record Call' });
    const getVersions = () =>
      requests
        .filter(({ path }) => path.endsWith('/calls'))
        .map(({ headers }) => headers.get('If-Match'));
    await user.click(button);
    expect(await screen.findByText(messages.VERSION_CONFLICT)).toBeVisible();
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    await user.click(button);
    expect(await screen.findByText(messages.CRITICAL_CALL_SAVED)).toBeVisible();
    expect(getVersions()).toEqual([`"${notice.version}"`, `"${present.version}"`]);
  });

  it('says which contact to call first at this hour', async () => {
    const { dialog } = await openNotice();
    const text = say(messages.CRITICAL_CALL_FIRST, { name: 'ON-CALL PHYSICIAN' });
    expect(dialog.getByText(text)).toBeVisible();
  });

  it('says that all contacts are closed', async () => {
    const contacts = notice.contacts.slice(0, 1);
    const { dialog } = await openNotice({ [`GET ${PATH}/7`]: { ...notice, contacts } });
    expect(dialog.getByText(messages.CRITICAL_ALL_CLOSED)).toBeVisible();
  });

  it('shows that a notice is overdue when its time limit passes, and keeps what is typed', async () => {
    let isOverdue = false;
    const { dialog, user } = await openNotice({
      [`GET ${PATH}/7`]: () => ({ ...notice, isOverdue }),
    });
    expect(dialog.getByText('NOT REPORTED')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: /Person called/ }), 'Ann');
    isOverdue = true;
    expect(await dialog.findByText('OVERDUE', {}, { timeout: 10_000 })).toBeVisible();
    expect(dialog.getByRole('textbox', { name: /Person called/ })).toHaveValue('Ann');
  });

  it('records a call with its read-back', async () => {
    const savedNotice = { ...notice, version: 4, toldAt: call.madeAt, calls: [call] };
    const view = await openNotice({ [`POST ${PATH}/7/calls`]: savedNotice });
    const { dialog, user } = view;
    expect(
      dialog.getByRole('row', {
        name: /CHARGE NURSE Ward 312-555-0101 Mon-Fri 8-17 · closed now E-mail/,
      }),
    ).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Record Call' }));
    expect(await dialog.findByText(messages.CRITICAL_NAME_REQUIRED)).toBeVisible();
    expect(dialog.getByRole('textbox', { name: /Person called/ })).toHaveFocus();
    await user.type(dialog.getByRole('textbox', { name: /Person called/ }), 'Ann');
    await user.click(dialog.getByRole('checkbox', { name: 'Read the results back' }));
    expect(dialog.getByRole('checkbox', { name: 'Reached' })).toBeChecked();
    await user.click(dialog.getByRole('button', { name: 'Record Call' }));
    expect(await dialog.findByText('READ BACK')).toBeVisible();
    const sentRequest = view.requests.find(({ path }) => path.endsWith('/calls'));
    expect(sentRequest?.body).toEqual({
      toldName: 'Ann',
      method: 'phone',
      isTold: true,
      hasReadBack: true,
      note: null,
    });
    expect(dialog.getByRole('textbox', { name: /Person called/ })).toHaveValue('');
  });

  it('closes without a read-back only with a note', async () => {
    const view = await openNotice({ [`POST ${PATH}/7/close`]: { ...notice, version: 4 } });
    const { dialog, user } = view;
    await user.click(dialog.getByRole('button', { name: 'Close Task' }));
    const field = dialog.getByRole('textbox', { name: 'Note' });
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(messages.CRITICAL_NOTE_REQUIRED);
    expect(view.requests.some(({ path }) => path.endsWith('/close'))).toBe(false);
    await user.type(field, 'Transferred');
    expect(field).toBeValid();
    await user.click(dialog.getByRole('button', { name: 'Close Task' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const sentRequest = view.requests.find(({ path }) => path.endsWith('/close'));
    expect(sentRequest?.body).toEqual({ note: 'Transferred' });
  });

  it('shows clients who was notified, without fields', async () => {
    const denied = { allowed: false, reason: null };
    const view = await openNotice(
      { [`GET ${PATH}/7`]: { ...notice, canTell: denied, calls: [call] } },
      Role.PHYSICIAN,
    );
    expect(view.dialog.getByRole('row', { name: /Ann Phone Read back Lab Staff/ })).toBeVisible();
    expect(view.dialog.queryByRole('textbox')).not.toBeInTheDocument();
    expect(view.dialog.queryByRole('button', { name: 'Record Call' })).not.toBeInTheDocument();
    expect(view.dialog.queryByText(/^Call .* first/)).toBeNull();
  });
});
