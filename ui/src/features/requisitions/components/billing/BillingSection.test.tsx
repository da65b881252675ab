import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../../contract';
import { maria } from '../../../../test/patientForm';
import { buildPage, buildProblem, type Answers } from '../../../../test/portal';
import { buildProfile, renderPortal } from '../../../../test/render';
import { buildInsuranceRecord, buildRequisition } from '../../../../test/requisitions';
import type { Requisition } from '../../api';
import { compareWithPatient, buildBilledRows } from '../../billing';
import RequisitionForm from '../../screens/RequisitionForm';

const REQUISITION_PATH = '/api/v2/requisitions/12';
const first = buildInsuranceRecord({ id: 31, order: 1, payer: 'MEDICARE', payerId: 1 });
const second = buildInsuranceRecord({ id: 32, order: 2, payer: 'AETNA', payerId: 2 });
const third = buildInsuranceRecord({ id: 33, order: 3, payer: 'CIGNA', payerId: 3, address: null });
const buildBilled = (...records: (typeof first)[]) =>
  records.map((record, index) => ({
    ...record,
    id: 900 + index,
    patientBillingInformationId: record.id,
    position: index + 1,
  }));

const renderForm = (
  change: Partial<Requisition> = {},
  answers: Answers = {},
  role: Role = Role.CLIENT_BASIC,
) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(role),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: {
      [`GET ${REQUISITION_PATH}`]: buildRequisition({
        billTo: 'Insurance',
        billingInformation: buildBilled(first, second),
        ...change,
      }),
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
      'GET /api/v2/patients/7/billing-info': [first, second, third],
      ...answers,
    },
  });

const getButton = (name: string) => screen.getByRole('button', { name });
const getToolbar = () => within(screen.getByRole('toolbar', { name: 'Billing actions' }));
const getTool = (name: string) => getToolbar().getByRole('button', { name });
/** The tool that adds appears once the patient's rows are loaded. */
const findAdd = async () =>
  within(await screen.findByRole('toolbar', { name: 'Billing actions' })).findByRole('button', {
    name: 'Add',
  });
const findGrid = () => screen.findByRole('grid', { name: 'Billing Information' });
const listPayers = async () =>
  within(await findGrid())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('gridcell')[2]?.textContent);
const selectRow = async (user: Awaited<ReturnType<typeof renderForm>>['user'], name: RegExp) =>
  user.click(within(await findGrid()).getByRole('checkbox', { name }));
const CONTROLS = ['Remove', 'Move Up', 'Move Down', 'Refresh', 'Undo'];

describe('Billing information', () => {
  it('has nothing to restore without a patient', async () => {
    await renderPortal(<RequisitionForm />, { path: '/secured/requisitions/create' });
    await screen.findByRole('heading', { name: 'New Requisition' });
    for (const name of CONTROLS) expect(getTool(name)).toBeDisabled();
  });

  it('moves exactly one selected row, but not past either end', async () => {
    const { user } = await renderForm();
    await findGrid();
    expect(getTool('Move Up')).toBeDisabled();
    expect(getTool('Move Down')).toBeDisabled();
    expect(getTool('Remove')).toBeDisabled();
    await selectRow(user, /insurance 1/);
    expect(getTool('Move Up')).toBeDisabled();
    expect(getTool('Move Down')).toBeEnabled();
    expect(getTool('Remove')).toBeEnabled();
    await selectRow(user, /insurance 2/);
    expect(getTool('Move Down')).toBeDisabled();
    await selectRow(user, /insurance 1/);
    expect(getTool('Move Up')).toBeEnabled();
    await user.click(getTool('Move Up'));
    expect(await listPayers()).toEqual(['AETNA', 'MEDICARE']);
  });

  it('is not sent when it was not changed', async () => {
    const { user, requests } = await renderForm();
    const listWrites = () =>
      requests.filter(({ method, path }) => method === 'POST' && path === REQUISITION_PATH);
    await findGrid();
    await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(getButton('Save'));
    await waitFor(() => expect(listWrites()).toHaveLength(1));
    expect(listWrites()[0]?.body).not.toHaveProperty('billingInfo');
  });

  it('sends added and removed rows with their positions', async () => {
    const { user, requests } = await renderForm();
    await findGrid();
    await user.click(await findAdd());
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA', 'CIGNA']);
    expect(getToolbar().queryByRole('button', { name: 'Add' })).toBeNull();
    expect(document.body).not.toHaveFocus();
    await selectRow(user, /insurance 1/);
    await user.click(getTool('Remove'));
    expect(await listPayers()).toEqual(['AETNA', 'CIGNA']);
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).toMatchObject({
      billingInfo: [
        { patientBillingInformationId: 32, position: 1 },
        { patientBillingInformationId: 33, position: 2 },
      ],
    });
  });

  it('adds the chosen row of those not on the list yet', async () => {
    const { user } = await renderForm({ billingInformation: [] });
    await user.selectOptions(
      await screen.findByRole('combobox', { name: "Patient's insurance" }),
      'CIGNA, W123',
    );
    await user.click(await findAdd());
    expect(await listPayers()).toEqual(['CIGNA']);
    expect(
      within(await findGrid()).getByText(messages.MISSING_INFORMATION, { exact: false }),
    ).toBeVisible();
  });

  it('has only one button to add rows when all rows of the patient are on the list', async () => {
    const { user } = await renderForm(
      {},
      { 'GET /api/v2/patients/7/billing-info': [first, second] },
    );
    await selectRow(user, /insurance 2/);
    expect(await screen.findByRole('button', { name: 'Add Insurance' })).toBeEnabled();
    expect(getToolbar().queryByRole('button', { name: 'Add' })).toBeNull();
    await user.click(getTool('Remove'));
    expect(await findAdd()).toBeEnabled();
  });

  it('is editable only while insurance is billed', async () => {
    const { user } = await renderForm();
    await selectRow(user, /insurance 2/);
    for (const name of ['Remove', 'Move Up', 'Refresh']) expect(getTool(name)).toBeEnabled();
    await user.click(screen.getByRole('radio', { name: 'CLIENT' }));
    for (const name of CONTROLS) expect(getTool(name)).toBeDisabled();
    expect(screen.getByText(messages.INSURANCE_ORDER_HINT)).toBeVisible();
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA']);
  });

  it('is reloaded from the patient, and Undo restores the saved rows', async () => {
    const { user } = await renderForm();
    await findGrid();
    expect(getTool('Undo')).toBeDisabled();
    await user.click(getTool('Refresh'));
    await waitFor(async () => expect(await listPayers()).toEqual(['MEDICARE', 'AETNA', 'CIGNA']));
    await user.click(getTool('Undo'));
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA']);
    expect(getTool('Undo')).toBeDisabled();
  });

  it("compares the chosen row with the patient's current row", async () => {
    const { user } = await renderForm(
      {},
      {
        'GET /api/v2/patients/7/billing-info': [
          { ...first, groupNumber: 'NEW7', phone: '2175550101' },
        ],
      },
    );
    expect(
      await within(await findGrid()).findByText(/Changed since: Group Number, Phone/),
    ).toBeVisible();
    expect(within(await findGrid()).getByText(messages.INSURANCE_NO_LONGER)).toBeVisible();
    await user.click(getButton('View insurance 1, MEDICARE'));
    const dialog = await screen.findByRole('dialog', { name: 'Insurance 1' });
    expect(within(dialog).getByRole('row', { name: 'Group Number G1 NEW7' })).toBeVisible();
    expect(within(dialog).getByRole('row', { name: /^Phone .* 217-555-0101$/ })).toBeVisible();
  });

  it('opens an incomplete row, and shows the completed values', async () => {
    const patient = {
      ...maria,
      id: 7,
      insuranceInformation: [first, { ...second, relationship: 'SPOUSE', lastName: null }],
    };
    let reads = 0;
    const completedRow = { ...second, relationship: 'SPOUSE', lastName: 'OKONKWO' };
    const savedPatient = { ...patient, version: 4, insuranceInformation: [first, completedRow] };
    const { user, requests } = await renderForm(
      { billingInformation: buildBilled(...patient.insuranceInformation) },
      {
        'GET /api/v2/patients/7': patient,
        'GET /api/v2/patients/7/billing-info': () =>
          // The reload after the save never arrives: the row must be right without it.
          ++reads === 1 ? patient.insuranceInformation : new Promise(() => undefined),
        'POST /api/v2/patients/7/save-billing-info': savedPatient,
        'GET /api/v2/address/zip-code': maria.zipCode,
      },
    );
    await user.click(
      await screen.findByRole('button', {
        name: 'Missing information: complete insurance 2, AETNA',
      }),
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Billing: AETNA' }));
    await user.type(dialog.getByRole('textbox', { name: /^Last Name/ }), 'okonkwo');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const write = requests.find(({ path }) => path.endsWith('save-billing-info'));
    expect(write?.headers.get('If-Match')).toBe('"3"');
    expect(write?.body).toMatchObject([
      { id: 31, relationship: 'SELF' },
      { id: 32, relationship: 'SPOUSE', lastName: 'OKONKWO' },
    ]);
    expect(within(await findGrid()).queryByText(messages.MISSING_INFORMATION)).toBeNull();
    expect(within(await findGrid()).queryByText(/Changed since/)).toBeNull();
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const save = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(save?.body).toMatchObject({
      billingInfo: [{ patientBillingInformationId: 31 }, { patientBillingInformationId: 32 }],
    });
  });

  it('adds insurance to the patient and to the list, and stays open when that is rejected', async () => {
    let patient = { ...maria, id: 7, insuranceInformation: [first] };
    const addedRow = buildInsuranceRecord({ id: 34, order: 2, payer: 'AETNA', payerId: 8 });
    let writes = 0;
    const { user, requests } = await renderForm(
      { billingInformation: buildBilled(first) },
      {
        'GET /api/v2/patients/7': () => patient,
        'GET /api/v2/patients/7/billing-info': () => patient.insuranceInformation,
        'POST /api/v2/patients/7/save-billing-info': () => {
          writes += 1;
          patient = { ...patient, version: patient.version + 1 };
          if (writes === 1)
            return buildProblem(412, 'version_conflict', 'Somebody else saved first');
          patient = { ...patient, insuranceInformation: [first, addedRow] };
          return patient;
        },
        'GET /api/v2/address/zip-code': maria.zipCode,
        'GET /api/v2/billing-information/bill-types/remote-operations': buildPage([
          { id: 2, name: 'COMMERCIAL' },
        ]),
        'GET /api/v2/billing-information/payers/remote-operations/2': buildPage([
          { id: 8, name: 'AETNA', billTypeId: 2, billType: 'COMMERCIAL' },
        ]),
      },
    );
    await findGrid();
    await user.click(getButton('Add Insurance'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Insurance' }));
    const save = dialog.getByRole('button', { name: 'Save' });
    await user.click(save);
    expect(
      await dialog.findByText(say(messages.SELECTION_REQUIRED, { label: 'Insurance Id' })),
    ).toBeVisible();
    expect(writes).toBe(0);
    expect(dialog.getByRole('combobox', { name: /^Bill Type/ })).toHaveFocus();
    await dialog.findByRole('option', { name: 'COMMERCIAL' });
    await user.selectOptions(dialog.getByRole('combobox', { name: /^Bill Type/ }), 'COMMERCIAL');
    await user.click(dialog.getByRole('combobox', { name: /^Payer/ }));
    await user.click(await screen.findByRole('option', { name: 'AETNA' }));
    await user.type(dialog.getByRole('textbox', { name: /^Insurance Id/ }), 'w77');
    await user.click(save);
    expect(await screen.findByText(/Somebody else saved first/)).toBeVisible();
    expect(dialog.getByRole('textbox', { name: /^Insurance Id/ })).toHaveValue('W77');
    expect(await listPayers()).toEqual(['MEDICARE']);
    await waitFor(() =>
      expect(
        requests.filter(({ method, path }) => method === 'GET' && path === '/api/v2/patients/7'),
      ).toHaveLength(2),
    );
    await waitFor(() => expect(save).toBeEnabled());
    await user.click(save);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA']);
    const sentRequests = requests.filter(({ path }) => path.endsWith('save-billing-info'));
    expect(sentRequests.map(({ headers }) => headers.get('If-Match'))).toEqual(['"3"', '"4"']);
    expect(sentRequests[1]?.body).toMatchObject([
      { id: 31 },
      { billTypeId: 2, payerId: 8, insuranceId: 'W77', relationship: 'SELF' },
    ]);
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).toMatchObject({
      billingInfo: [{ patientBillingInformationId: 31 }, { patientBillingInformationId: 34 }],
    });
  });

  it('offers no new insurance to a physician, who does not change patients', async () => {
    await renderForm({}, {}, Role.PHYSICIAN);
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA']);
    expect(screen.queryByRole('button', { name: 'Add Insurance' })).toBeNull();
  });

  it('is read-only once the requisition is done', async () => {
    await renderForm({ status: 4 });
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA']);
    expect(screen.queryByRole('toolbar', { name: 'Billing actions' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Add Insurance' })).toBeNull();
    expect(screen.getByRole('radio', { name: 'CLIENT' })).toBeDisabled();
  });

  it('shows why the portal rejected a row', async () => {
    const { user } = await renderForm(
      {},
      {
        [`POST ${REQUISITION_PATH}`]: () =>
          buildProblem(400, 'bad_input', 'Not found', [
            { field: 'billingInfo.1.patientBillingInformationId', message: 'Row is not there' },
          ]),
      },
    );
    await findGrid();
    await user.click(await findAdd());
    await user.click(getButton('Save'));
    expect(await screen.findByText('Row is not there')).toBeVisible();
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA', 'CIGNA']);
  });
});

describe('A new requisition', () => {
  it("starts with the patient's insurance in order, and the client's bill-to", async () => {
    const { patient } = buildRequisition();
    await renderPortal(<RequisitionForm />, {
      user: buildProfile(Role.CLIENT_BASIC),
      path: '/secured/requisitions/create',
      parameters: { patientId: '7' },
      answers: {
        'GET /api/v2/patients/7': { ...patient, insuranceInformation: [second, first] },
        'GET /api/v2/patients/7/billing-info': [first, second],
      },
    });
    expect(await listPayers()).toEqual(['MEDICARE', 'AETNA']);
    expect(screen.getByRole('radio', { name: 'CLIENT' })).toBeChecked();
  });
});

describe('compareWithPatient', () => {
  const [row] = buildBilledRows(buildBilled(first));
  it("reports no difference while the patient's rows are unknown", () => {
    expect(row && compareWithPatient(row, null)).toEqual({ kind: 'same' });
  });
});
