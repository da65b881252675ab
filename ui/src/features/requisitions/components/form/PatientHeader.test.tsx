import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { buildPage, buildProblem, type Answers } from '../../../../test/portal';
import { buildProfile, renderPortal } from '../../../../test/render';
import { buildRequisition } from '../../../../test/requisitions';
import { messages, Role } from '../../../../contract';
import RequisitionForm from '../../screens/RequisitionForm';

const { patient } = buildRequisition();
const helen = { id: 3, npi: '2123456789', firstName: 'HELEN', lastName: 'CARTWRIGHT' };
const dana = { id: 31, npi: '2000000002', firstName: 'DANA', lastName: 'REYES' };

const renderForm = (
  parameters: Record<string, string>,
  answers: Answers = {},
  role = Role.LABORATORY,
) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(role),
    path: '/secured/requisitions/create',
    parameters,
    answers: {
      'GET /api/v2/requisitions/12': buildRequisition(),
      'GET /api/v2/patients/7': { ...patient, diagnoses: [], medications: [] },
      'GET /api/v2/physicians/remote-operations': buildPage([dana]),
      ...answers,
    },
  });

const getSameAsPrimary = () => screen.getByRole('checkbox', { name: 'Same as Primary Physician' });
const getPhysician = () => screen.getByRole('combobox', { name: /^Ordering Physician/ });
const getFact = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling;

async function choosePhysician(user: Awaited<ReturnType<typeof renderForm>>['user']) {
  await user.click(getPhysician());
  await user.click(await screen.findByRole('option', { name: /REYES, DANA/ }));
  await waitFor(() => expect(getPhysician()).toHaveValue('REYES, DANA'));
}

describe('The header of a requisition', () => {
  it('shows client, name, DOB, gender, room, unit and ordering physician', async () => {
    await renderForm(
      { id: '12' },
      {
        'GET /api/v2/requisitions/12': buildRequisition({ physician: helen, physicianId: 3 }),
      },
    );
    expect(await screen.findByText(/OKONKWO, AISHA/)).toBeVisible();
    expect(getFact('Client')).toHaveTextContent('NORTH SHORE');
    expect(getFact('DOB')).toHaveTextContent('04/17/1952');
    expect(getFact('Gender')).toHaveTextContent('FEMALE');
    expect(getFact('Room')).toHaveTextContent('101 - A');
    expect(getFact('Unit')).toHaveTextContent('WEST');
    expect(getPhysician()).toHaveValue('CARTWRIGHT, HELEN');
  });

  it('starts with the patient of the address', async () => {
    const { requests } = await renderForm({ patientId: '7' });
    expect(await screen.findByText(/OKONKWO, AISHA/)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('New Requisition');
    expect(screen.getByRole('button', { name: 'Edit Patient' })).toBeVisible();
    expect(requests.some(({ path }) => path === '/api/v2/patients/7')).toBe(true);
  });

  it("says that 'Same as Primary' needs a primary physician", async () => {
    const withoutPrimary = { ...patient, primaryPhysician: null, diagnoses: [], medications: [] };
    await renderForm({ patientId: '7' }, { 'GET /api/v2/patients/7': withoutPrimary });
    await screen.findByText(/OKONKWO, AISHA/);
    expect(getSameAsPrimary()).toBeDisabled();
    expect(getSameAsPrimary()).toHaveAttribute('title', messages.REQUISITION_NO_PRIMARY_PHYSICIAN);
  });

  it('asks to select a patient first, then to edit the selected one', async () => {
    const { user } = await renderForm(
      {},
      {
        'GET /api/v2/patients/remote-operations': buildPage([
          { ...patient, ssn: null, clientId: 1, clientName: 'NORTH SHORE', clientWebAccess: true },
        ]),
        'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      },
    );
    await user.click(screen.getByRole('button', { name: 'Select Patient' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
    await user.type(dialog.getByRole('textbox', { name: /^Last Name/ }), 'o');
    await user.type(dialog.getByRole('textbox', { name: /^First Name/ }), 'a');
    await user.click(dialog.getByRole('button', { name: 'Search' }));
    await user.click(await dialog.findByRole('gridcell', { name: 'P0000007' }));
    expect(await screen.findByRole('button', { name: 'Edit Patient' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Select Patient' })).toBeNull();
  });
});

describe('Same as Primary Physician', () => {
  it('copies the primary physician, and restores the previous one when switched off', async () => {
    const { user } = await renderForm({ patientId: '7' });
    await screen.findByText(/OKONKWO, AISHA/);
    expect(getSameAsPrimary()).not.toBeChecked();
    await choosePhysician(user);
    expect(screen.getByRole('button', { name: 'Edit Physician' })).toBeEnabled();

    await user.click(getSameAsPrimary());
    expect(getPhysician()).toHaveValue('CARTWRIGHT, HELEN');
    expect(getPhysician()).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Edit Physician' })).toBeDisabled();

    await user.click(getSameAsPrimary());
    expect(getPhysician()).toHaveValue('REYES, DANA');
    expect(getPhysician()).toBeEnabled();
  });

  it('removes the message that a physician is required', async () => {
    const client = patient.client && { ...patient.client, requiresPhysician: true };
    const { user } = await renderForm(
      { patientId: '7' },
      { 'GET /api/v2/patients/7': { ...patient, client, diagnoses: [], medications: [] } },
    );
    await screen.findByText(/OKONKWO, AISHA/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(messages.PHYSICIAN_REQUIRED)).toBeVisible();
    await user.click(getSameAsPrimary());
    expect(getPhysician()).toHaveValue('CARTWRIGHT, HELEN');
    await waitFor(() => expect(screen.queryByText(messages.PHYSICIAN_REQUIRED)).toBeNull());
  });

  it('leaves the physician of a saved requisition when it is switched off', async () => {
    const { user } = await renderForm(
      { id: '12' },
      {
        'GET /api/v2/requisitions/12': buildRequisition({ physician: helen, physicianId: 3 }),
      },
    );
    await screen.findByText(/OKONKWO, AISHA/);
    expect(getSameAsPrimary()).toBeChecked();
    await user.click(getSameAsPrimary());
    expect(getPhysician()).toHaveValue('CARTWRIGHT, HELEN');
    expect(getPhysician()).toBeEnabled();
    await user.click(getSameAsPrimary());
    expect(getPhysician()).toHaveValue('CARTWRIGHT, HELEN');
  });

  it('is disabled for a patient without a primary physician', async () => {
    await renderForm(
      { patientId: '7' },
      { 'GET /api/v2/patients/7': { ...patient, primaryPhysician: null } },
    );
    await screen.findByText(/OKONKWO, AISHA/);
    expect(getSameAsPrimary()).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Search Physician' })).toBeEnabled();
  });
});

describe('The collection time', () => {
  const findTime = () => screen.findByRole('textbox', { name: 'Collection Time' });
  const UPDATE = 'POST /api/v2/requisitions/12';
  const listWrittenBodies = (requests: Awaited<ReturnType<typeof renderForm>>['requests']) =>
    requests.filter(({ method, path }) => `${method} ${path}` === UPDATE).map(({ body }) => body);

  const VALID = [
    ['1030', '10:30', '10:30 AM'],
    ['16:05', '16:05', '04:05 PM'],
    ['905', '09:05', '09:05 AM'],
    ['1:03', '01:03', '01:03 AM'],
    ['7pm', '19:00', '07:00 PM'],
    ['7:30pm', '19:30', '07:30 PM'],
    ['7:30 p.m.', '19:30', '07:30 PM'],
    ['130p', '13:30', '01:30 PM'],
    ['11 AM', '11:00', '11:00 AM'],
    ['12:15am', '00:15', '12:15 AM'],
    ['12pm', '12:00', '12:00 PM'],
  ] as const;

  it('says that midnight means an unknown time', async () => {
    const { user } = await renderForm({ id: '12' });
    await user.clear(await findTime());
    await user.type(await findTime(), '12am');
    expect(await findTime()).toHaveAccessibleDescription(messages.MIDNIGHT_MEANS_UNKNOWN);
    await user.type(await findTime(), '{Backspace>4/}12:01am');
    expect(await findTime()).not.toHaveAccessibleDescription();
  });

  it.each(VALID)('accepts %s', async (typedText, time, shownText) => {
    const { user, requests } = await renderForm(
      { id: '12' },
      { [UPDATE]: buildRequisition({ version: 4 }) },
    );
    await user.clear(await findTime());
    await user.type(await findTime(), typedText);
    expect(await findTime()).toHaveValue(typedText);
    await user.tab();
    expect(await findTime()).toHaveValue(shownText);
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(listWrittenBodies(requests)).toHaveLength(1));
    expect(listWrittenBodies(requests)[0]).toMatchObject({
      collectionDate: `2026-03-27T${time}:00`,
    });
  });

  it('is also saved in full while the field has the focus', async () => {
    const { user, requests } = await renderForm(
      { id: '12' },
      { [UPDATE]: buildRequisition({ version: 4 }) },
    );
    await user.clear(await findTime());
    await user.type(await findTime(), '905{Control>}s{/Control}');
    await waitFor(() => expect(listWrittenBodies(requests)).toHaveLength(1));
    expect(listWrittenBodies(requests)[0]).toMatchObject({ collectionDate: '2026-03-27T09:05:00' });
  });

  const INVALID = ['10', '103', '2500', '1060', '7', '13pm', '0:30am', 'abc', '10305', 'noon'];
  it.each(INVALID)('rejects %s and keeps the text', async (typedText) => {
    const { user, requests } = await renderForm(
      { id: '12' },
      { [UPDATE]: buildRequisition({ version: 4 }) },
    );
    await user.clear(await findTime());
    await user.type(await findTime(), typedText);
    await user.tab();
    expect(await screen.findByText(messages.TIME_INVALID)).toBeVisible();
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(async () => expect(await findTime()).toHaveFocus());
    expect(await findTime()).toHaveValue(typedText);
    expect(listWrittenBodies(requests)).toHaveLength(0);
  });
});

describe('An error from the portal', () => {
  it.each(['patientId', 'medications', 'medications.0', 'billTo'])(
    'is shown at its field: %s',
    async (field) => {
      const message = `Rejected: ${field}`;
      const { user } = await renderForm(
        { id: '12' },
        {
          'POST /api/v2/requisitions/12': buildProblem(400, 'bad_input', '', [{ field, message }]),
        },
      );
      await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
      await user.click(screen.getByRole('button', { name: 'Save' }));
      expect(await screen.findByText(message)).toBeVisible();
    },
  );
});
