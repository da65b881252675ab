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

/** Opens Maria's form with these lists; saving returns the record unchanged. */
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
  const openTab = (name: RegExp) => user.click(screen.getByRole('tab', { name }));
  const clickButton = (name: string) => user.click(screen.getByRole('button', { name }));
  const getWrittenBody = () =>
    view.getLastWrite()?.body as Record<string, Record<string, unknown>[]>;
  const getRows = (grid: string) =>
    within(screen.getByRole('grid', { name: grid }))
      .getAllByRole('row')
      .slice(1);
  const getInsuranceRows = () => getRows('Insurance Information');
  const chooseInsurance = () => user.click(screen.getByRole('radio', { name: 'INSURANCE' }));
  return {
    ...view,
    openTab,
    clickButton,
    getWrittenBody,
    getRows,
    getInsuranceRows,
    chooseInsurance,
  };
}

type View = Awaited<ReturnType<typeof openMaria>>;

async function typeInsurance(view: View, id: string) {
  await screen.findByRole('option', { name: 'COMMERCIAL' });
  await view.user.selectOptions(screen.getByRole('combobox', { name: 'Bill Type' }), 'COMMERCIAL');
  await view.choose(/^Payer/, 'AETNA');
  await view.user.type(view.getTextbox(/^Insurance Id/), id);
}

describe('Insurance Information', () => {
  it('is added with bill type, payer and id, for the patient', async () => {
    const view = await openMaria();
    expect(screen.getByRole('radio', { name: 'PATIENT' })).toBeChecked();
    expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled();
    await typeInsurance(view, 'w9');
    await view.clickButton('Add');
    expect(view.getInsuranceRows()[0]).toHaveTextContent(
      /AETNA.*COMMERCIAL.*W9.*SELF.*LOPEZ, MARIA/,
    );
    expect(view.getTextbox(/^Insurance Id/)).toHaveValue('');
    expect(screen.getByRole('tab', { name: 'Insurance Information 1' })).toBeInTheDocument();
    await view.save();
    await waitFor(() =>
      expect(view.getWrittenBody()['insuranceInformation']).toEqual([
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
    await view.user.clear(view.getTextbox(/^Last Name/));
    await view.user.type(view.getTextbox(/^Last Name/), 'cruz');
    expect(view.getInsuranceRows()[0]).toHaveTextContent('CRUZ, MARIA');
    await view.save();
    await waitFor(() =>
      expect(view.getWrittenBody()['insuranceInformation']).toMatchObject([
        { id: 31, lastName: 'CRUZ' },
      ]),
    );
  });

  it('clears the payer when the bill type changes, and offers other payers', async () => {
    const view = await openMaria();
    await typeInsurance(view, 'w9');
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Bill Type' }), 'MEDICARE');
    expect(view.getPicker(/^Payer/)).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled();
    await view.choose(/^Payer/, 'MEDICARE PART B');
    expect(screen.getByRole('button', { name: 'Add' })).toBeEnabled();
  });

  it('is edited in the fields after selecting its row, and Save writes it back', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    await view.user.click(screen.getByRole('checkbox', { name: 'Select insurance 2, AETNA' }));
    expect(view.getTextbox(/^Insurance Id/)).toHaveValue('W123');
    await view.user.type(view.getTextbox(/^Group Number/), 'g7');
    await view.clickButton('Save');
    expect(view.getInsuranceRows()[1]).toHaveTextContent('G7');
    await view.user.click(screen.getByRole('checkbox', { name: /Select insurance 1/ }));
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    expect(view.getTextbox(/^Insurance Id/)).toHaveValue('');
  });

  it('is reordered, removed and restored only while insurance is billed', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    await view.user.click(screen.getByRole('checkbox', { name: /Select insurance 2/ }));
    for (const name of ['Remove', 'Move Up', 'Move Down', 'Refresh', 'Undo']) {
      expect(screen.getByRole('button', { name })).toBeDisabled();
    }
    expect(screen.getByText(messages.INSURANCE_ORDER_HINT)).toBeVisible();
    await view.chooseInsurance();
    expect(screen.getByRole('button', { name: 'Move Down' })).toBeDisabled();
    await view.clickButton('Move Up');
    expect(view.getInsuranceRows()[0]).toHaveTextContent('1AETNA');
    expect(screen.getByRole('button', { name: 'Move Up' })).toBeDisabled();
    await view.clickButton('Remove');
    expect(view.getInsuranceRows()).toHaveLength(1);
    expect(view.getInsuranceRows()[0]).toHaveTextContent('1MEDICARE');
    await view.clickButton('Undo');
    expect(view.getInsuranceRows().map((row) => row.textContent.slice(0, 2))).toEqual(['1M', '2A']);
  });

  it('is reloaded by Refresh', async () => {
    const view = await openMaria(
      { insuranceInformation: [medicare] },
      { 'GET /api/v2/patients/5/billing-info': [medicare, aetna] },
    );
    await view.chooseInsurance();
    await view.clickButton('Refresh');
    await waitFor(() => expect(view.getInsuranceRows()).toHaveLength(2));
  });

  it('blocks saving while it is typed but not added', async () => {
    const view = await openMaria();
    await view.user.type(view.getTextbox(/^Insurance Id/), 'w9');
    await view.save();
    const notice = await screen.findAllByText(messages.INSURANCE_NOT_ADDED);
    expect(notice[0]).toBeVisible();
    expect(view.getLastWrite()).toBeUndefined();
  });

  it('shows errors of the portal at their row, and marks the tab', async () => {
    const view = await openMaria(
      { insuranceInformation: [medicare, aetna] },
      {
        'PUT /api/v2/patients/5': () =>
          problem(400, 'bad_input', messages.VALIDATION_ERROR, [
            { field: 'insuranceInformation.1.payerId', message: messages.VALUE_INVALID },
          ]),
      },
    );
    await view.openTab(/^Medications/);
    await view.save();
    expect(
      await screen.findByRole('tab', { name: 'Has errors: Insurance Information 2' }),
    ).toHaveAttribute('aria-selected', 'true');
    await waitFor(() => expect(view.getInsuranceRows()[1]).toHaveFocus());
    expect(view.getInsuranceRows()[1]).toHaveAccessibleDescription(
      `Payer Id: ${messages.VALUE_INVALID}`,
    );
  });
});

describe('Editing the insured person', () => {
  async function openEditor(view: View, index: number) {
    view.getInsuranceRows()[index]?.focus();
    await view.user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: /^Edit Billing/ }));
    return {
      getTextbox: (name: string) => dialog.getByRole('textbox', { name }),
      getSelect: (name: string) => dialog.getByRole('combobox', { name }),
      different: dialog.getByRole('checkbox', { name: 'Different than patient' }),
      save: () => view.user.click(dialog.getByRole('button', { name: 'Save' })),
      dialog,
    };
  }

  it('clears the person when it becomes different, and copies the patient when it ends', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    const popup = await openEditor(view, 0);
    expect(popup.getTextbox('Last Name')).toHaveValue('LOPEZ');
    expect(popup.getTextbox('Last Name')).toHaveAttribute('readonly');
    await view.user.click(popup.different);
    expect(popup.getTextbox('Last Name')).toHaveValue('');
    expect(popup.getTextbox('Address')).toHaveValue('');
    expect(popup.getSelect('Relationship')).toHaveValue('');
    expect(popup.getTextbox('Last Name')).toHaveAccessibleDescription(messages.MISSING_INFORMATION);
    await view.user.click(popup.different);
    expect(popup.getTextbox('First Name')).toHaveValue('MARIA');
    expect(popup.getSelect('Relationship')).toHaveValue('SELF');
  });

  it('restores the earlier values', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    const popup = await openEditor(view, 1);
    expect(popup.getTextbox('First Name')).toHaveValue('JOSE');
    await view.user.click(popup.different);
    expect(popup.getTextbox('First Name')).toHaveValue('MARIA');
    await view.user.click(popup.different);
    expect(popup.getTextbox('First Name')).toHaveValue('JOSE');
    expect(popup.getTextbox('Address')).toHaveValue('9 HILL RD');
    expect(popup.getSelect('Relationship')).toHaveValue('SPOUSE');
  });

  it('copies the patient for SELF', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    const popup = await openEditor(view, 1);
    await view.user.selectOptions(popup.getSelect('Relationship'), 'SELF');
    expect(popup.getTextbox('First Name')).toHaveValue('MARIA');
    expect(popup.different).not.toBeChecked();
    await popup.save();
    await waitFor(() => expect(view.getInsuranceRows()[1]).toHaveTextContent('LOPEZ, MARIA'));
  });

  it('asks before saving with missing information, and marks the row', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    const popup = await openEditor(view, 0);
    await view.user.click(popup.different);
    await popup.save();
    const question = within(
      await screen.findByRole('dialog', { name: messages.CONFIRM_MISSING_INSURANCE_TITLE }),
    );
    expect(question.getByText(messages.CONFIRM_MISSING_INSURANCE)).toBeVisible();
    await view.user.click(question.getByRole('button', { name: 'Save' }));
    expect(view.getInsuranceRows()[0]).toHaveTextContent(messages.MISSING_INFORMATION);

    const mark = screen.getByRole('button', { name: /^Missing information: complete insurance 1/ });
    await view.user.click(mark);
    await screen.findByRole('dialog', { name: /^Edit Billing/ });
    await view.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await view.save();
    const secondQuestion = within(
      await screen.findByRole('dialog', { name: messages.CONFIRM_MISSING_INSURANCE_TITLE }),
    );
    expect(view.getLastWrite()).toBeUndefined();
    await view.user.click(secondQuestion.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(view.getWrittenBody()['insuranceInformation']).toMatchObject([
        { id: 31, differentThanPatient: true, lastName: null, zipCode: null },
      ]),
    );
  });

  it('rejects a future birth date, an incomplete phone number and an unknown zip code', async () => {
    const view = await openMaria(
      { insuranceInformation: [aetna] },
      {
        'GET /api/v2/address/zip-code': (request: { query: URLSearchParams }) =>
          request.query.get('code') === '60601' ? lakeCare.zipCode : Response.json(null),
      },
    );
    const popup = await openEditor(view, 0);
    await view.user.clear(popup.getTextbox('Birth Date'));
    await view.user.type(popup.getTextbox('Birth Date'), '01/01/2990');
    await view.user.type(popup.getTextbox('Phone'), '312');
    await view.user.clear(popup.getTextbox('Zip Code'));
    await view.user.type(popup.getTextbox('Zip Code'), '00000');
    await popup.save();
    expect(await popup.dialog.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(popup.dialog.getByText(messages.PHONE_INVALID)).toBeVisible();
    expect(popup.dialog.getByText(/00000 was not found/)).toBeVisible();
  });
});

describe('Responsible Party', () => {
  async function openParties(parties: PartyRecord[]) {
    const view = await openMaria({ responsibleParties: parties });
    await view.openTab(/^Responsible Party/);
    const panel = within(screen.getByRole('tabpanel', { name: /^Responsible Party/ }));
    const getButton = (name: string) => panel.getByRole('button', { name });
    const getRowTexts = () => view.getRows('Responsible Parties').map((row) => row.textContent);
    return { ...view, getButton, getRowTexts };
  }

  it('requires names, phone and address, and reports a missing zip code', async () => {
    const view = await openParties([]);
    await view.user.click(view.getButton('Add'));
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

  it('asks before Escape discards typed values', async () => {
    const view = await openParties([]);
    await view.user.click(view.getButton('Add'));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Responsible Party' }));
    const lastName = dialog.getByRole('textbox', { name: /^Last Name/ });
    await view.user.type(lastName, 'lopez{Escape}');
    const question = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }));
    expect(question.getByText(messages.UNSAVED_CHANGES)).toBeInTheDocument();
    await view.user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(lastName).toHaveValue('LOPEZ');
  });

  it('is added after the others, in upper case', async () => {
    const view = await openParties([daughter]);
    await view.user.click(view.getButton('Add'));
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
    await waitFor(() => expect(view.getRowTexts()[1]).toBe('LOPEZLUIS312-555-0112'));
    await view.save();
    await waitFor(() =>
      expect(view.getWrittenBody()['responsibleParties']).toEqual([
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

  it('moves one row at a time and removes several', async () => {
    const view = await openParties([daughter, son]);
    expect(view.getButton('Remove')).toBeDisabled();
    await view.user.click(screen.getByRole('checkbox', { name: 'Select LOPEZ, ANA' }));
    expect(view.getButton('Move Up')).toBeDisabled();
    await view.user.click(view.getButton('Move Down'));
    expect(view.getRowTexts()).toEqual(['LOPEZLUIS312-555-0111', 'LOPEZANA312-555-0111']);
    await view.user.click(screen.getByRole('checkbox', { name: 'Select LOPEZ, LUIS' }));
    expect(view.getButton('Move Up')).toBeDisabled();
    await view.user.click(view.getButton('Remove'));
    expect(screen.getByText('Nobody yet')).toBeVisible();
  });

  it('opens by double click or Enter', async () => {
    const view = await openParties([daughter]);
    await view.user.dblClick(screen.getByRole('gridcell', { name: 'ANA' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Responsible Party' }));
    await view.user.clear(dialog.getByRole('textbox', { name: 'First Name' }));
    await view.user.type(dialog.getByRole('textbox', { name: 'First Name' }), 'eva');
    await view.user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.getRowTexts()).toEqual(['LOPEZEVA312-555-0111']));
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
    await view.openTab(/^Diagnoses/);
    await view.choose(/^Diagnoses/, 'E11.9 Type 2 diabetes');
    expect(screen.getByRole('tab', { name: 'Diagnoses 1' })).toBeInTheDocument();
    await view.openTab(/^Medications/);
    await view.choose(/^Medication/, 'METFORMIN 500 MG');
    await view.user.type(view.getPicker(/^Medication/), 'own mix{Enter}');
    expect(screen.getByRole('tab', { name: 'Medications 3' })).toBeInTheDocument();
    await view.user.click(screen.getByRole('button', { name: 'Remove ASPIRIN' }));
    await view.save();
    await waitFor(() => expect(view.getWrittenBody()['diagnoses']).toEqual([{ id: 51 }]));
    expect(view.getWrittenBody()['medications']).toEqual([
      { name: 'METFORMIN 500 MG' },
      { name: 'OWN MIX' },
    ]);
  });

  it('accepts an unlisted medication by mouse too', async () => {
    const view = await openMaria({}, { 'GET /api/v2/medications/remote-operations': page([]) });
    await view.openTab(/^Medications/);
    await view.user.type(view.getPicker(/^Medication/), 'own mix');
    await view.user.click(await screen.findByRole('option', { name: 'Add OWN MIX' }));
    expect(screen.getByRole('button', { name: 'Remove OWN MIX' })).toBeInTheDocument();
  });
});
