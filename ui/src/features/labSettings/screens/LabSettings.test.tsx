import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import LabSettings from './LabSettings';

const PATH = '/api/system/lab-settings';
const settings = {
  logo: null,
  title: 'Test Lab',
  name: 'TEST LAB',
  address: '1 MAIN ST',
  url: null,
  desktopAppUrl: null,
  phone: '815-555-0100',
  fax: null,
  email: 'lab@demo.lab',
  clia: null,
  director: null,
  contactEmail: null,
  supplyEmail: null,
  resultEntryEnabled: true,
  resultEntrySuperUser: true,
  resultEntryClientAdmin: false,
  resultEntryClientBasic: false,
  resultVerificationRequired: false,
  autoverificationEnabled: false,
  missingInfoEnabled: true,
  abnormalResult: 'ABNORMAL',
  timeZone: 'America/Chicago',
  secondFactorRoles: [Role.SUPERUSER],
  auditRetentionYears: 7,
  criticalMinutes: 30,
  resultColumns: [
    { id: 3, code: 'K', name: 'POTASSIUM' },
    { id: 4, code: 'GLU', name: 'GLUCOSE' },
  ],
  version: 7,
  canChange: { allowed: true, reason: null },
};

async function openSettings(answers: Answers = {}) {
  const view = await renderPortal(<LabSettings />, {
    user: buildProfile(Role.SUPERUSER),
    answers: { [`GET ${PATH}`]: settings, [`PUT ${PATH}`]: settings, ...answers },
  });
  await screen.findByRole('form', { name: 'Lab Settings' });
  const findSentRequest = () => view.requests.find(({ method }) => method === 'PUT');
  return { ...view, findSentRequest };
}

const getField = (name: string) => screen.getByRole('textbox', { name });
const getRoleCheckbox = (group: string, role: string) =>
  within(screen.getByRole('group', { name: group })).getByRole('checkbox', { name: role });
const getSaveButton = () => screen.getByRole('button', { name: 'Save' });

describe('Lab Settings', () => {
  it('sends what has changed, with the version', async () => {
    const { user, findSentRequest } = await openSettings();
    await user.clear(getField('Laboratory Director'));
    await user.type(getField('Laboratory Director'), 'Ida Invented, MD');
    await user.click(getRoleCheckbox('Roles besides Laboratory', 'Client Admin'));
    await user.click(getSaveButton());
    expect(await screen.findByText(messages.LAB_SETTINGS_SAVED)).toBeVisible();
    expect(findSentRequest()?.body).toEqual({
      director: 'Ida Invented, MD',
      resultEntryClientAdmin: true,
    });
    expect(findSentRequest()?.headers.get('If-Match')).toBe('"7"');
  });

  it('shows who changed which settings, and when', async () => {
    const change = {
      at: '2026-03-09T14:05:00+00:00',
      user: 'SAM SUPERVISOR',
      changes: [
        { name: 'contactEmail', old: '', new: 'office@demo.lab' },
        { name: 'resultEntryClientBasic', old: 'off', new: 'on' },
      ],
    };
    const { user } = await openSettings({ [`GET ${PATH}/history`]: [change] });
    await user.click(screen.getByRole('button', { name: 'History' }));
    const dialog = await screen.findByRole('dialog', { name: 'History of Lab Settings' });
    expect(await within(dialog).findByText('SAM SUPERVISOR')).toBeVisible();
    const shownChanges = within(dialog).getAllByRole('listitem');
    expect(shownChanges[0]).toHaveTextContent('Contact Us goes to: none → office@demo.lab');
    expect(shownChanges[1]).toHaveTextContent('Result entry by Client Basic: off → on');
  });

  it('says what a change of the time zone means', async () => {
    const { user, findSentRequest } = await openSettings();
    expect(screen.queryByText(messages.TIME_ZONE_HINT)).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Time Zone' }), 'America/Denver');
    expect(screen.getByText(messages.TIME_ZONE_HINT)).toBeVisible();
    await user.click(getSaveButton());
    await waitFor(() => expect(findSentRequest()?.body).toEqual({ timeZone: 'America/Denver' }));
  });

  it.each([
    ['Email', 'lab at home', messages.EMAIL_INVALID],
    ['Web Address', 'demo.lab', messages.LAB_URL_INVALID],
    ['CLIA Number', '14X', messages.LAB_CLIA_INVALID],
    ['Phone', '312', messages.PHONE_INVALID],
  ])('rejects an invalid %s', async (name, value, message) => {
    const { user, findSentRequest } = await openSettings();
    await user.clear(getField(name));
    await user.type(getField(name), value);
    await user.click(getSaveButton());
    expect(await screen.findByText(message)).toBeVisible();
    expect(findSentRequest()).toBeUndefined();
  });

  it('moves, removes and adds test columns', async () => {
    const { user, findSentRequest, requests } = await openSettings({
      'GET /api/v2/tests/remote-operations': buildPage([
        { id: 9, code: 'NA', name: 'SODIUM', alternateNames: '', type: 'TEST' },
      ]),
    });
    const list = within(screen.getByRole('list', { name: 'Test columns' }));
    await user.click(list.getByRole('button', { name: 'Move GLU up' }));
    await user.click(list.getByRole('button', { name: 'Remove K' }));
    const picker = screen.getByRole('combobox', { name: 'Test Columns of the Order Search' });
    await user.type(picker, 'NA');
    await user.click(await screen.findByRole('option', { name: /SODIUM/ }));
    const search = requests.findLast(({ path }) => path === '/api/v2/tests/remote-operations');
    expect(search?.query.get('hasSingleValue')).toBe('true');
    await user.click(getSaveButton());
    await waitFor(() => expect(findSentRequest()?.body).toEqual({ resultColumns: [4, 9] }));
  });

  it('requires a second factor of the chosen roles', async () => {
    const { user, findSentRequest } = await openSettings();
    await user.click(getRoleCheckbox('Roles that need a second factor', 'Physician'));
    await user.click(getSaveButton());
    await waitFor(() =>
      expect(findSentRequest()?.body).toEqual({
        secondFactorRoles: [Role.SUPERUSER, Role.PHYSICIAN],
      }),
    );
  });

  it('keeps the audit log for the chosen years', async () => {
    const { user, findSentRequest } = await openSettings();
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'Audit log is kept for' }),
      '10 years',
    );
    await user.click(getSaveButton());
    await waitFor(() => expect(findSentRequest()?.body).toEqual({ auditRetentionYears: 10 }));
  });

  it('limits the time to report a critical result', async () => {
    const { user, findSentRequest } = await openSettings();
    const field = screen.getByRole('combobox', { name: 'Critical results are reported within' });
    expect(field).toHaveDisplayValue('30 minutes');
    await user.selectOptions(field, '15 minutes');
    await user.click(getSaveButton());
    await waitFor(() => expect(findSentRequest()?.body).toEqual({ criticalMinutes: 15 }));
  });

  it('shows no broken picture of a logo that the browser cannot draw', async () => {
    await openSettings();
    const file = new File(['II*'], 'logo.tiff', { type: 'image/tiff' });
    fireEvent.change(screen.getByLabelText('Logo'), { target: { files: [file] } });
    fireEvent.error(await screen.findByRole('img', { name: "The lab's logo" }));
    expect(screen.getByText('No preview')).toBeVisible();
  });

  it('sends a chosen logo and shows why it was rejected', async () => {
    const { user, findSentRequest } = await openSettings({
      [`PUT ${PATH}`]: () =>
        buildProblem(415, 'wrong_kind', messages.IMAGE_ONLY, [
          { field: 'logo', message: messages.IMAGE_ONLY },
        ]),
    });
    const file = new File(['GIF89a'], 'logo.gif', { type: 'image/gif' });
    fireEvent.change(screen.getByLabelText('Logo'), { target: { files: [file] } });
    await screen.findByRole('img', { name: "The lab's logo" });
    await user.click(getSaveButton());
    expect((await screen.findAllByText(messages.IMAGE_ONLY))[0]).toBeVisible();
    const sentBody = findSentRequest()?.body as { logo: string };
    expect(sentBody.logo).toMatch(/^data:image\/gif;base64,/);
  });

  it('keeps the changes when somebody else saved first', async () => {
    let storedSettings: unknown = settings;
    const { user } = await openSettings({
      [`GET ${PATH}`]: () => storedSettings,
      [`PUT ${PATH}`]: () => buildProblem(412, 'stale_version', messages.VERSION_STALE),
    });
    storedSettings = { ...settings, title: 'Renamed', version: 8 };
    await user.type(getField('Laboratory Director'), 'Ida');
    await user.click(getSaveButton());
    expect(await screen.findByText(messages.VERSION_CONFLICT_SAVE)).toBeVisible();
    expect(getField('Portal Title')).toHaveValue('Renamed');
    expect(getField('Laboratory Director')).toHaveValue('Ida');
  });

  it('is read-only for Laboratory', async () => {
    await openSettings({
      [`GET ${PATH}`]: {
        ...settings,
        canChange: { allowed: false, reason: messages.FORBIDDEN },
      },
    });
    expect(getField('Address')).toBeDisabled();
    expect(getRoleCheckbox('Roles besides Laboratory', 'Superuser')).toBeDisabled();
    expect(getSaveButton()).toHaveAttribute('aria-disabled', 'true');
  });
});
