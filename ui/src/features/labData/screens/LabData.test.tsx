import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { LeavingScreen, leaveAndReturn } from '../../../test/leaving';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import type { DataField, DataKind, DataRecord } from '../api';
import LabData from './LabData';

const PATH = '/api/v2/lab-data';
const allowed = { allowed: true, reason: null };
const denied = { allowed: false, reason: messages.LAB_DATA_READ_ONLY };

const buildField = (name: string, label: string, change: Partial<DataField> = {}): DataField => ({
  name,
  label,
  type: 'text',
  required: false,
  upper: false,
  maxLength: 200,
  choices: [],
  empty: null,
  lookup: null,
  fixed: false,
  inGrid: true,
  default: null,
  ...change,
});
const clients: DataKind = {
  key: 'clients',
  title: 'Clients',
  singular: 'Client',
  group: 'Clients and physicians',
  fields: [
    buildField('code', 'Code', { required: true, upper: true }),
    buildField('name', 'Name', { required: true, upper: true }),
    buildField('defaultBillTo', 'Default bill to', {
      type: 'choice',
      choices: ['Client', 'Patient'],
    }),
    buildField('webAccess', 'Web access', { type: 'boolean', default: true }),
    buildField('tests', 'Test list', { type: 'links', lookup: 'lab-tests', inGrid: false }),
  ],
  identity: ['code'],
  parent: null,
  children: ['units'],
  canChange: allowed,
};
const units: DataKind = {
  ...clients,
  key: 'units',
  title: 'Units',
  singular: 'Unit',
  fields: [
    buildField('client', 'Client', {
      type: 'lookup',
      lookup: 'clients',
      required: true,
      fixed: true,
    }),
    buildField('name', 'Name', { required: true, upper: true }),
    buildField('active', 'In use', { type: 'boolean', default: true }),
  ],
  identity: ['client', 'name'],
  parent: 'client',
  children: [],
};
const values = {
  code: 'LAKE',
  name: 'LAKE CARE',
  defaultBillTo: 'Client',
  webAccess: true,
  tests: ['GLU'],
};
const record: DataRecord = {
  id: 7,
  name: 'LAKE',
  values,
  notes: {},
  version: 41,
  canChange: allowed,
  unitLimits: [],
};

function openScreen(answers: Answers = {}, kinds: DataKind[] = [clients, units]) {
  const element = (
    <LeavingScreen>
      <LabData />
    </LeavingScreen>
  );
  return renderPortal(element, {
    user: buildProfile(Role.SUPERUSER),
    answers: {
      [`GET ${PATH}`]: kinds,
      [`GET ${PATH}/clients`]: buildPage([{ id: 7, ...values }]),
      [`GET ${PATH}/clients/7`]: record,
      [`GET ${PATH}/clients/7/history`]: [],
      [`GET ${PATH}/lookups/lab-tests`]: [{ key: 'GLU', name: 'GLUCOSE' }],
      [`GET ${PATH}/units`]: buildPage([{ id: 3, client: 'LAKE', name: 'EAST', active: true }]),
      ...answers,
    },
  });
}

async function openRecord(answers: Answers = {}) {
  const view = await openScreen(answers);
  await view.user.click(await screen.findByText('LAKE CARE'));
  const dialog = await screen.findByRole('dialog', { name: 'Client LAKE' });
  return { ...view, dialog };
}

describe('The data of the lab', () => {
  it('lists the kinds, and the rows of the first', async () => {
    await openScreen();
    const kinds = await screen.findByRole('navigation', { name: 'Kinds of data' });
    expect(within(kinds).getByRole('link', { name: 'Clients' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect(await screen.findByText('LAKE CARE')).toBeVisible();
  });

  it('says what an empty choice means, in the list and in the form', async () => {
    const sex = buildField('sex', 'Sex', { type: 'choice', choices: ['Male'], empty: 'Any' });
    const kind = { ...clients, fields: [...clients.fields, sex] };
    const emptyValues = { ...values, sex: null, defaultBillTo: null };
    const view = await openScreen(
      {
        [`GET ${PATH}/clients`]: buildPage([{ id: 7, ...emptyValues }]),
        [`GET ${PATH}/clients/7`]: { ...record, values: emptyValues },
      },
      [kind],
    );
    await view.user.click(await screen.findByRole('gridcell', { name: 'Any' }));
    const dialog = await screen.findByRole('dialog', { name: 'Client LAKE' });
    const getChoice = (name: string) => within(dialog).getByRole('combobox', { name });
    expect(getChoice('Sex')).toHaveDisplayValue('Any');
    expect(getChoice('Default bill to')).toHaveDisplayValue('None');
  });

  it('keeps the order of the rows when the user comes back', async () => {
    const view = await openScreen();
    const getSort = () =>
      view.requests.findLast(({ path }) => path === `${PATH}/clients`)?.query.get('sort');
    const header = await screen.findByRole('columnheader', { name: 'Name' });
    await view.user.click(within(header).getByRole('button'));
    await waitFor(() => expect(getSort()).toBe('name'));
    await leaveAndReturn(view);
    await screen.findByText('LAKE CARE');
    const sameHeader = screen.getByRole('columnheader', { name: 'Name' });
    expect(sameHeader).toHaveAttribute('aria-sort', 'ascending');
  });

  it('asks for the required fields of a new row', async () => {
    const { user, requests } = await openScreen();
    await user.click(await screen.findByRole('button', { name: 'Add Client' }));
    const dialog = await screen.findByRole('dialog', { name: 'New Client' });
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    const message = say(messages.LAB_DATA_REQUIRED, { label: 'Name' });
    expect(await within(dialog).findByText(message)).toBeVisible();
    const sentRequests = requests.filter(
      ({ method, path }) => method === 'POST' && path.startsWith(PATH),
    );
    expect(sentRequests).toEqual([]);
  });

  it('says what to know about a stored value until it is edited', async () => {
    const notes = { name: 'UCUM: m[IU]/L' };
    const { user, dialog } = await openRecord({ [`GET ${PATH}/clients/7`]: { ...record, notes } });
    const name = within(dialog).getByLabelText(/^Name/);
    expect(name).toHaveAccessibleDescription(notes.name);
    await user.type(name, 'X');
    expect(within(dialog).queryByText(notes.name)).toBeNull();
    await user.type(name, '{Backspace}');
    expect(within(dialog).getByText(notes.name)).toBeVisible();
  });

  it('saves what has changed, with the version', async () => {
    const { user, dialog, requests } = await openRecord({
      [`PUT ${PATH}/clients/7`]: { ...record, version: 42 },
    });
    const name = within(dialog).getByLabelText(/^Name/);
    await user.clear(name);
    await user.type(name, 'Lake View');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => {
      const sentRequest = requests.find(({ method }) => method === 'PUT');
      expect(sentRequest?.headers.get('if-match')).toBe('"41"');
      expect(sentRequest?.body).toMatchObject({ values: { name: 'LAKE VIEW', tests: ['GLU'] } });
    });
  });

  it('says which limits no longer apply before another unit is saved', async () => {
    const withUnit = { ...clients, fields: [...clients.fields, buildField('unit', 'Unit')] };
    const { user, dialog } = await openRecord({
      [`GET ${PATH}`]: [withUnit, units],
      [`GET ${PATH}/clients/7`]: {
        ...record,
        values: { ...values, unit: 'mmol/L' },
        unitLimits: [
          { singular: 'Reference Range', title: 'Reference Ranges', count: 3 },
          { singular: 'Bound', title: 'Bounds', count: 1 },
        ],
      },
    });
    const text = say(messages.UNIT_STOPS_LIMITS, { limits: '3 reference ranges, 1 bound' });
    const field = within(dialog).getByLabelText(/^Unit/);
    expect(within(dialog).queryByText(text)).toBeNull();
    await user.clear(field);
    expect(within(dialog).getByText(text)).toBeVisible();
    await user.type(field, 'mmol/L ');
    expect(within(dialog).queryByText(text)).toBeNull();
    await user.type(field, 'x');
    expect(within(dialog).getByText(text)).toBeVisible();
  });

  it('says nothing about another unit if no limits are in the earlier one', async () => {
    const withUnit = { ...clients, fields: [...clients.fields, buildField('unit', 'Unit')] };
    const { user, dialog } = await openRecord({ [`GET ${PATH}`]: [withUnit, units] });
    await user.type(within(dialog).getByLabelText(/^Unit/), 'mg/dL');
    expect(within(dialog).queryByText(/no longer apply/)).toBeNull();
  });

  it('names the records in a list', async () => {
    const { dialog } = await openRecord();
    expect(await within(dialog).findByText('GLU · GLUCOSE')).toBeVisible();
  });

  it('shows the portal’s errors at their fields', async () => {
    const { user, dialog } = await openRecord({
      [`PUT ${PATH}/clients/7`]: () =>
        buildProblem(400, 'bad_input', '', [
          { field: 'code', message: 'Another row has the same Code' },
        ]),
    });
    await user.type(within(dialog).getByLabelText(/^Name/), 'X');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('Another row has the same Code')).toBeVisible();
  });

  it('lists only the children of the opened row', async () => {
    const { user, dialog, requests } = await openRecord();
    await user.click(within(dialog).getByRole('tab', { name: 'Units' }));
    expect(await within(dialog).findByText('EAST')).toBeVisible();
    const sentRequest = requests.find(({ path }) => path === `${PATH}/units`);
    expect(sentRequest?.query.get('parent')).toBe('LAKE');
  });

  it('adds a child to the opened row', async () => {
    const { user, dialog, requests } = await openRecord({
      [`POST ${PATH}/units`]: { ...record, id: 4, name: 'WEST' },
      [`GET ${PATH}/lookups/clients`]: [],
    });
    await user.click(within(dialog).getByRole('tab', { name: 'Units' }));
    await user.click(await within(dialog).findByRole('button', { name: 'Add Unit' }));
    const form = within(await screen.findByRole('dialog', { name: 'New Unit' }));
    expect(form.getByRole('combobox', { name: /^Client/ })).toHaveValue('LAKE');
    expect(form.getByRole('combobox', { name: /^Client/ })).toBeDisabled();
    await user.type(form.getByLabelText(/^Name/), 'West');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => {
      const sentRequest = requests.find(
        ({ path, method }) => method === 'POST' && path === `${PATH}/units`,
      );
      expect(sentRequest?.body).toMatchObject({ values: { client: 'LAKE', name: 'WEST' } });
    });
  });

  it('shows who changed what', async () => {
    const { user, dialog } = await openRecord({
      [`GET ${PATH}/clients/7/history`]: [
        {
          at: '2026-03-09T14:05:00+00:00',
          user: 'SUE SUPER',
          action: 'change',
          fields: [{ label: 'Name', old: 'LAKE', new: 'LAKE CARE' }],
        },
      ],
    });
    await user.click(within(dialog).getByRole('tab', { name: 'History' }));
    const row = await within(dialog).findByRole('row', { name: /SUE SUPER/ });
    expect(row).toHaveTextContent('Name: LAKE → LAKE CARE');
  });

  it('says why a person may not change a kind', async () => {
    const lockedKind = { ...clients, canChange: denied };
    await openScreen({ [`GET ${PATH}/clients/7`]: { ...record, canChange: denied } }, [lockedKind]);
    const button = await screen.findByRole('button', { name: 'Add Client' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription(messages.LAB_DATA_READ_ONLY);
  });
});
