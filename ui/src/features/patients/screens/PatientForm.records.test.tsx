import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { lakeCare, maria, openPatientForm } from '../../../test/patientForm';
import { page, problem, type Answers } from '../../../test/portal';
import type { InsuranceRecord } from '../../billing/api';
import type { PatientRecord } from '../api';
import type { PartyRecord } from '../parties';

const medicare: InsuranceRecord = {
  id: 31,
  order: 1,
  billTypeId: 1,
  billType: 'MEDICARE',
  payerId: 7,
  payer: 'MEDICARE PART B',
  insuranceId: '1EG4-TE5',
  groupNumber: null,
  relationship: 'SELF',
  differentThanPatient: false,
  lastName: 'LOPEZ',
  firstName: 'MARIA',
  middleName: null,
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  phone: null,
  address: '12 LAKE ST',
  zipCode: lakeCare.zipCode,
  zipCodeId: 1,
  zipCodePlus4: '1200',
  missingInformation: false,
};
const aetna: InsuranceRecord = {
  ...medicare,
  id: 32,
  order: 2,
  billTypeId: 2,
  billType: 'COMMERCIAL',
  payerId: 8,
  payer: 'AETNA',
  insuranceId: 'W123',
  relationship: 'SPOUSE',
  differentThanPatient: true,
  firstName: 'JOSE',
  gender: 'MALE',
  birthDate: '1958-07-01',
  address: '9 HILL RD',
};
const daughter: PartyRecord = {
  id: 41,
  order: 1,
  firstName: 'ANA',
  lastName: 'LOPEZ',
  address: '12 LAKE ST',
  country: null,
  state: 'IL',
  city: 'CHICAGO',
  zipCode: '60601',
  zipCodeExtra: '1200',
  phone: '312-555-0111',
  mobile: null,
  fax: null,
};
const son: PartyRecord = { ...daughter, id: 42, order: 2, firstName: 'LUIS' };

/** Maria's form with these lists; what is saved comes back as it was. */
async function openMaria(lists: Partial<PatientRecord> = {}, answers: Answers = {}) {
  const record = { ...maria, ...lists };
  const view = await openPatientForm(
    { id: '5' },
    {
      'GET /api/v2/patients/5': record,
      'PUT /api/v2/patients/5': { ...record, version: 4 },
      ...answers,
    },
  );
  const { user } = view;
  const tab = (name: RegExp) => user.click(screen.getByRole('tab', { name }));
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  const body = () => view.written()?.body as Record<string, Record<string, unknown>[]>;
  const rows = (grid: string) =>
    within(screen.getByRole('grid', { name: grid }))
      .getAllByRole('row')
      .slice(1);
  const insurances = () => rows('Insurance Information');
  const billToInsurance = () => user.click(screen.getByRole('radio', { name: 'INSURANCE' }));
  return { ...view, tab, press, body, rows, insurances, billToInsurance };
}

type View = Awaited<ReturnType<typeof openMaria>>;

async function typeInsurance(view: View, id: string) {
  await screen.findByRole('option', { name: 'COMMERCIAL' });
  await view.user.selectOptions(screen.getByRole('combobox', { name: 'Bill Type' }), 'COMMERCIAL');
  await view.choose(/^Payer/, 'AETNA');
  await view.user.type(view.box(/^Insurance Id/), id);
}

describe('Insurance Information', () => {
  it('is added with bill type, payer and id, and belongs to the patient', async () => {
    const view = await openMaria();
    expect(screen.getByRole('radio', { name: 'PATIENT' })).toBeChecked();
    expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled();
    await typeInsurance(view, 'w9');
    await view.press('Add');
    expect(view.insurances()[0]).toHaveTextContent(/AETNA.*COMMERCIAL.*W9.*SELF.*LOPEZ, MARIA/);
    expect(view.box(/^Insurance Id/)).toHaveValue('');
    expect(screen.getByRole('tab', { name: 'Insurance Information 1' })).toBeInTheDocument();
    await view.save();
    await waitFor(() =>
      expect(view.body()['insuranceInformation']).toEqual([
        {
          billTypeId: 2,
          payerId: 8,
          insuranceId: 'W9',
          groupNumber: null,
          relationship: 'SELF',
          differentThanPatient: false,
          lastName: 'LOPEZ',
          firstName: 'MARIA',
          middleName: null,
          birthDate: '1961-03-04',
          gender: 'FEMALE',
          phone: '3125550101',
          address: '12 LAKE ST',
          zipCode: { code: '60601' },
          zipCodePlus4: '1200',
        },
      ]),
    );
  });

  it('follows the patient while the relationship is SELF', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    await view.user.clear(view.box(/^Last Name/));
    await view.user.type(view.box(/^Last Name/), 'cruz');
    expect(view.insurances()[0]).toHaveTextContent('CRUZ, MARIA');
    await view.save();
    await waitFor(() =>
      expect(view.body()['insuranceInformation']).toMatchObject([{ id: 31, lastName: 'CRUZ' }]),
    );
  });

  it('takes the payer away when the bill type changes, and offers the other one’s payers', async () => {
    const view = await openMaria();
    await typeInsurance(view, 'w9');
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Bill Type' }), 'MEDICARE');
    expect(view.picker(/^Payer/)).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled();
    await view.choose(/^Payer/, 'MEDICARE PART B');
    expect(screen.getByRole('button', { name: 'Add' })).toBeEnabled();
  });

  it('comes into the fields when one row is selected, and Save writes it back', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    await view.user.click(screen.getByRole('checkbox', { name: 'Select insurance 2, AETNA' }));
    expect(view.box(/^Insurance Id/)).toHaveValue('W123');
    await view.user.type(view.box(/^Group Number/), 'g7');
    await view.press('Save');
    expect(view.insurances()[1]).toHaveTextContent('G7');
    await view.user.click(screen.getByRole('checkbox', { name: /Select insurance 1/ }));
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    expect(view.box(/^Insurance Id/)).toHaveValue('');
  });

  it('is reordered, removed and restored only when insurance is billed', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    await view.user.click(screen.getByRole('checkbox', { name: /Select insurance 2/ }));
    for (const name of ['Remove', 'Move Up', 'Move Down', 'Refresh', 'Undo']) {
      expect(screen.getByRole('button', { name })).toBeDisabled();
    }
    expect(screen.getByText(messages.INSURANCE_ORDER_HINT)).toBeVisible();
    await view.billToInsurance();
    expect(screen.getByRole('button', { name: 'Move Down' })).toBeDisabled();
    await view.press('Move Up');
    expect(view.insurances()[0]).toHaveTextContent('1AETNA');
    expect(screen.getByRole('button', { name: 'Move Up' })).toBeDisabled();
    await view.press('Remove');
    expect(view.insurances()).toHaveLength(1);
    expect(view.insurances()[0]).toHaveTextContent('1MEDICARE');
    await view.press('Undo');
    expect(view.insurances().map((row) => row.textContent.slice(0, 2))).toEqual(['1M', '2A']);
  });

  it('is loaded again by Refresh', async () => {
    const view = await openMaria(
      { insuranceInformation: [medicare] },
      { 'GET /api/v2/patients/5/billing-info': [medicare, aetna] },
    );
    await view.billToInsurance();
    await view.press('Refresh');
    await waitFor(() => expect(view.insurances()).toHaveLength(2));
  });

  it('is not lost when it was typed and not added', async () => {
    const view = await openMaria();
    await view.user.type(view.box(/^Insurance Id/), 'w9');
    await view.save();
    const notice = await screen.findAllByText(messages.INSURANCE_NOT_ADDED);
    expect(notice[0]).toBeVisible();
    expect(view.written()).toBeUndefined();
  });

  it('shows what the portal refuses at its row, and marks the tab', async () => {
    const view = await openMaria(
      { insuranceInformation: [medicare, aetna] },
      {
        'PUT /api/v2/patients/5': () =>
          problem(400, 'bad_input', messages.VALIDATION_ERROR, [
            { field: 'insuranceInformation.1.payerId', message: messages.VALUE_INVALID },
          ]),
      },
    );
    await view.tab(/^Medications/);
    await view.save();
    expect(
      await screen.findByRole('tab', { name: 'Has errors: Insurance Information 2' }),
    ).toHaveAttribute('aria-selected', 'true');
    await waitFor(() => expect(view.insurances()[1]).toHaveFocus());
    expect(view.insurances()[1]).toHaveAccessibleDescription(`Payer Id: ${messages.VALUE_INVALID}`);
  });
});

describe('Editing who is insured', () => {
  async function edit(view: View, place: number) {
    view.insurances()[place]?.focus();
    await view.user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: /^Edit Billing/ }));
    return {
      box: (name: string) => dialog.getByRole('textbox', { name }),
      select: (name: string) => dialog.getByRole('combobox', { name }),
      different: dialog.getByRole('checkbox', { name: 'Different than patient' }),
      save: () => view.user.click(dialog.getByRole('button', { name: 'Save' })),
      dialog,
    };
  }

  it('clears the person when it becomes different, and copies the patient when it ends', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    const popup = await edit(view, 0);
    expect(popup.box('Last Name')).toHaveValue('LOPEZ');
    expect(popup.box('Last Name')).toHaveAttribute('readonly');
    await view.user.click(popup.different);
    expect(popup.box('Last Name')).toHaveValue('');
    expect(popup.box('Address')).toHaveValue('');
    expect(popup.select('Relationship')).toHaveValue('');
    expect(popup.box('Last Name')).toHaveAccessibleDescription(messages.MISSING_INFORMATION);
    await view.user.click(popup.different);
    expect(popup.box('First Name')).toHaveValue('MARIA');
    expect(popup.select('Relationship')).toHaveValue('SELF');
  });

  it('brings back what the fields held before', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    const popup = await edit(view, 1);
    expect(popup.box('First Name')).toHaveValue('JOSE');
    await view.user.click(popup.different);
    expect(popup.box('First Name')).toHaveValue('MARIA');
    await view.user.click(popup.different);
    expect(popup.box('First Name')).toHaveValue('JOSE');
    expect(popup.box('Address')).toHaveValue('9 HILL RD');
    expect(popup.select('Relationship')).toHaveValue('SPOUSE');
  });

  it('SELF copies the patient', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    const popup = await edit(view, 1);
    await view.user.selectOptions(popup.select('Relationship'), 'SELF');
    expect(popup.box('First Name')).toHaveValue('MARIA');
    expect(popup.different).not.toBeChecked();
    await popup.save();
    await waitFor(() => expect(view.insurances()[1]).toHaveTextContent('LOPEZ, MARIA'));
  });

  it('asks before it is saved with information missing, and flags the row', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    const popup = await edit(view, 0);
    await view.user.click(popup.different);
    await popup.save();
    const question = within(
      await screen.findByRole('dialog', { name: messages.CONFIRM_MISSING_INSURANCE_TITLE }),
    );
    expect(question.getByText(messages.CONFIRM_MISSING_INSURANCE)).toBeVisible();
    await view.user.click(question.getByRole('button', { name: 'Save' }));
    expect(view.insurances()[0]).toHaveTextContent(messages.MISSING_INFORMATION);

    await view.save();
    const again = within(
      await screen.findByRole('dialog', { name: messages.CONFIRM_MISSING_INSURANCE_TITLE }),
    );
    expect(view.written()).toBeUndefined();
    await view.user.click(again.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(view.body()['insuranceInformation']).toMatchObject([
        { id: 31, differentThanPatient: true, lastName: null, zipCode: null },
      ]),
    );
  });

  it('refuses a birth date to come, half a phone number and an unknown zip code', async () => {
    const view = await openMaria(
      { insuranceInformation: [aetna] },
      {
        'GET /api/v2/address/zip-code': (request: { query: URLSearchParams }) =>
          request.query.get('code') === '60601' ? lakeCare.zipCode : Response.json(null),
      },
    );
    const popup = await edit(view, 0);
    await view.user.clear(popup.box('Birth Date'));
    await view.user.type(popup.box('Birth Date'), '01/01/2990');
    await view.user.type(popup.box('Phone'), '312');
    await view.user.clear(popup.box('Zip Code'));
    await view.user.type(popup.box('Zip Code'), '00000');
    await popup.save();
    expect(await popup.dialog.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(popup.dialog.getByText(messages.PHONE_INVALID)).toBeVisible();
    expect(popup.dialog.getByText(/00000 was not found/)).toBeVisible();
  });
});

describe('Responsible Party', () => {
  async function openParties(parties: PartyRecord[]) {
    const view = await openMaria({ responsibleParties: parties });
    await view.tab(/^Responsible Party/);
    const panel = within(screen.getByRole('tabpanel', { name: /^Responsible Party/ }));
    const button = (name: string) => panel.getByRole('button', { name });
    const names = () => view.rows('Responsible Parties').map((row) => row.textContent);
    return { ...view, button, names };
  }

  it('needs names, phone and address, and says when the zip code is missing', async () => {
    const view = await openParties([]);
    await view.user.click(view.button('Add'));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Responsible Party' }));
    await view.user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(messages.MISSING_ADDRESS)).toBeVisible();
    for (const message of [
      messages.LAST_NAME_REQUIRED,
      messages.FIRST_NAME_REQUIRED,
      'Phone is required',
      messages.ADDRESS_REQUIRED,
      'Zip plus 4 is required',
    ]) {
      expect(dialog.getByText(message)).toBeVisible();
    }
  });

  it('asks before Escape throws away what was typed', async () => {
    const view = await openParties([]);
    await view.user.click(view.button('Add'));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Responsible Party' }));
    const lastName = dialog.getByRole('textbox', { name: /^Last Name/ });
    await view.user.type(lastName, 'lopez{Escape}');
    const question = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }));
    expect(question.getByText(messages.UNSAVED_CHANGES)).toBeInTheDocument();
    await view.user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(lastName).toHaveValue('LOPEZ');
  });

  it('is added behind the others, in capitals', async () => {
    const view = await openParties([daughter]);
    await view.user.click(view.button('Add'));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Responsible Party' }));
    const type = (name: string, text: string) =>
      view.user.type(dialog.getByRole('textbox', { name }), text);
    await type('Last Name', 'lopez');
    await type('First Name', 'luis');
    await type('Phone', '3125550112');
    await type('Zip Code', '60601');
    await type('Zip plus 4', '0009');
    await type('Address', '9 hill rd');
    await view.user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.names()[1]).toBe('LOPEZLUIS312-555-0112'));
    await view.save();
    await waitFor(() =>
      expect(view.body()['responsibleParties']).toEqual([
        expect.objectContaining({ id: 41, zipCode: '60601', zipCodeExtra: '1200' }),
        {
          lastName: 'LOPEZ',
          firstName: 'LUIS',
          address: '9 HILL RD',
          country: null,
          zipCode: '60601',
          zipCodeExtra: '0009',
          phone: '3125550112',
          mobile: null,
          fax: null,
        },
      ]),
    );
  });

  it('moves one at a time and removes several', async () => {
    const view = await openParties([daughter, son]);
    expect(view.button('Remove')).toBeDisabled();
    await view.user.click(screen.getByRole('checkbox', { name: 'Select LOPEZ, ANA' }));
    expect(view.button('Move Up')).toBeDisabled();
    await view.user.click(view.button('Move Down'));
    expect(view.names()).toEqual(['LOPEZLUIS312-555-0111', 'LOPEZANA312-555-0111']);
    await view.user.click(screen.getByRole('checkbox', { name: 'Select LOPEZ, LUIS' }));
    expect(view.button('Move Up')).toBeDisabled();
    await view.user.click(view.button('Remove'));
    expect(screen.getByText('Nobody yet')).toBeVisible();
  });

  it('opens with a double click or Enter', async () => {
    const view = await openParties([daughter]);
    await view.user.dblClick(screen.getByRole('gridcell', { name: 'ANA' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Responsible Party' }));
    await view.user.clear(dialog.getByRole('textbox', { name: 'First Name' }));
    await view.user.type(dialog.getByRole('textbox', { name: 'First Name' }), 'eva');
    await view.user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.names()).toEqual(['LOPEZEVA312-555-0111']));
  });
});

describe('Diagnoses and medications', () => {
  it('are searched, added and saved with the patient', async () => {
    const view = await openMaria(
      { medications: [{ id: 60, name: 'ASPIRIN' }] },
      {
        'GET /api/v2/diagnoses/remote-operations': page([
          { id: 51, code: 'E11.9', description: 'Type 2 diabetes' },
        ]),
        'GET /api/v2/medications/remote-operations': page([{ id: 61, name: 'METFORMIN 500 MG' }]),
      },
    );
    await view.tab(/^Diagnoses/);
    await view.choose(/^Diagnoses/, 'E11.9 Type 2 diabetes');
    expect(screen.getByRole('tab', { name: 'Diagnoses 1' })).toBeInTheDocument();
    await view.tab(/^Medications/);
    await view.choose(/^Medication/, 'METFORMIN 500 MG');
    await view.user.type(view.picker(/^Medication/), 'own mix{Enter}');
    expect(screen.getByRole('tab', { name: 'Medications 3' })).toBeInTheDocument();
    await view.user.click(screen.getByRole('button', { name: 'Remove ASPIRIN' }));
    await view.save();
    await waitFor(() => expect(view.body()['diagnoses']).toEqual([{ id: 51 }]));
    expect(view.body()['medications']).toEqual([{ name: 'METFORMIN 500 MG' }, { name: 'OWN MIX' }]);
  });

  it('takes a medication that is on no list by mouse too', async () => {
    const view = await openMaria({}, { 'GET /api/v2/medications/remote-operations': page([]) });
    await view.tab(/^Medications/);
    await view.user.type(view.picker(/^Medication/), 'own mix');
    await view.user.click(await screen.findByRole('option', { name: 'Add OWN MIX' }));
    expect(screen.getByRole('button', { name: 'Remove OWN MIX' })).toBeInTheDocument();
  });
});
