import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { closeDialogByEscape } from '../../../test/dialogs';
import { lakeCare, openMaria } from '../../../test/patientForm';
import { buildPage, buildProblem } from '../../../test/portal';
import type { InsuranceRecord } from '../../billing/api';

/** The insured person of a row for the patient. */
const mariaHerself = {
  relationship: 'SELF',
  differentThanPatient: false,
  lastName: 'LOPEZ',
  firstName: 'MARIA',
  middleName: null,
  birthDate: '1961-03-04',
  gender: 'FEMALE',
} as const;
const medicare: InsuranceRecord = {
  id: 31,
  order: 1,
  billTypeId: 1,
  billType: 'MEDICARE',
  payerId: 7,
  payer: 'MEDICARE PART B',
  insuranceId: '1EG4-TE5',
  groupNumber: null,
  ...mariaHerself,
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
          ...mariaHerself,
          phone: '3125550101',
          address: '12 LAKE ST',
          zipCode: { code: '60601' },
          zipCodePlus4: '1200',
        },
      ]),
    );
  });

  it('is added although the phone is incomplete, which only the field of the phone says', async () => {
    const view = await openMaria();
    const phone = view.getTextbox(/^Phone/);
    await view.user.clear(phone);
    await view.user.type(phone, '312');
    await typeInsurance(view, 'w9');
    await view.clickButton('Add');
    expect(view.getInsuranceRows()[0]).toHaveTextContent(/AETNA.*W9/);
    await view.save();
    expect(await screen.findByText(messages.PHONE_INVALID)).toBeVisible();
    expect(view.getInsuranceRows()[0]).toHaveTextContent(/AETNA.*W9/);
    await view.user.type(phone, '5550199');
    await view.save();
    await waitFor(() => expect(view.getLastWrite()).toBeDefined());
    expect(view.getLastWrite()?.body).toMatchObject({
      phone: '3125550199',
      insuranceInformation: [{ insuranceId: 'W9', relationship: 'SELF', phone: null }],
    });
  });

  it.each([
    ['before', 1],
    ['during', 2],
  ])('keeps a payer chosen %s the search, and what is typed meanwhile', async (_when, count) => {
    const payers = buildPage([{ id: 8, name: 'AETNA', billTypeId: 2, billType: 'COMMERCIAL' }]);
    let calls = 0;
    let release: () => void = () => undefined;
    const answer = new Promise<void>((resolve) => (release = resolve));
    const view = await openMaria(
      {},
      {
        'GET /api/v2/billing-information/payers/remote-operations/2': () =>
          // Slow typing searches more than once.
          ++calls === 1 ? payers : answer.then(() => payers),
      },
    );
    await screen.findByRole('option', { name: 'COMMERCIAL' });
    await view.user.selectOptions(
      screen.getByRole('combobox', { name: 'Bill Type' }),
      'COMMERCIAL',
    );
    const payer = screen.getByRole('combobox', { name: /^Payer/ });
    await view.user.click(payer);
    await screen.findByRole('option', { name: 'AETNA' });
    await view.user.type(payer, 'aet');
    await waitFor(() => expect(calls).toBeGreaterThanOrEqual(count));
    await view.user.click(screen.getByRole('option', { name: 'AETNA' }));
    await view.user.type(view.getTextbox(/^Insurance Id/), 'w9');
    release();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add' })).toBeEnabled());
    await view.clickButton('Add');
    expect(view.getInsuranceRows()[0]).toHaveTextContent(/AETNA.*W9/);
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
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled();
    await view.clickButton('Move Up');
    expect(view.getInsuranceRows()[0]).toHaveTextContent('1AETNA');
    expect(screen.getByRole('button', { name: 'Move Up' })).toBeDisabled();
    await view.clickButton('Remove');
    expect(view.getInsuranceRows()).toHaveLength(1);
    expect(view.getInsuranceRows()[0]).toHaveTextContent('1MEDICARE');
    await view.clickButton('Undo');
    expect(view.getInsuranceRows().map((row) => row.textContent.slice(0, 2))).toEqual(['1M', '2A']);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled();
  });

  it('is cleared by Undo while it is typed but not added', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    await view.chooseInsurance();
    await view.user.type(view.getTextbox(/^Insurance Id/), 'w9');
    await view.clickButton('Undo');
    expect(view.getTextbox(/^Insurance Id/)).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled();
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
          buildProblem(400, 'bad_input', messages.VALIDATION_ERROR, [
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
      differentCheckbox: dialog.getByRole('checkbox', { name: 'Different than patient' }),
      save: () => view.user.click(dialog.getByRole('button', { name: 'Save' })),
      dialog,
    };
  }

  it('starts blank for a person other than the patient, and copies the patient again afterwards', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    const popup = await openEditor(view, 0);
    expect(popup.getTextbox('Last Name')).toHaveValue('LOPEZ');
    expect(popup.getTextbox('Last Name')).toHaveAttribute('readonly');
    await view.user.click(popup.differentCheckbox);
    expect(popup.getTextbox('Last Name')).toHaveValue('');
    expect(popup.getTextbox('Address')).toHaveValue('');
    expect(popup.getSelect('Relationship')).toHaveValue('');
    expect(popup.getTextbox('Last Name')).toHaveAccessibleDescription(messages.MISSING_INFORMATION);
    await view.user.click(popup.differentCheckbox);
    expect(popup.getTextbox('First Name')).toHaveValue('MARIA');
    expect(popup.getSelect('Relationship')).toHaveValue('SELF');
  });

  it('restores the values of another person after a switch to the patient and back', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    const popup = await openEditor(view, 1);
    expect(popup.getTextbox('First Name')).toHaveValue('JOSE');
    await view.user.click(popup.differentCheckbox);
    expect(popup.getTextbox('First Name')).toHaveValue('MARIA');
    await view.user.click(popup.differentCheckbox);
    expect(popup.getTextbox('First Name')).toHaveValue('JOSE');
    expect(popup.getTextbox('Address')).toHaveValue('9 HILL RD');
    expect(popup.getSelect('Relationship')).toHaveValue('SPOUSE');
  });

  it('copies the patient for SELF', async () => {
    const view = await openMaria({ insuranceInformation: [medicare, aetna] });
    const popup = await openEditor(view, 1);
    await view.user.selectOptions(popup.getSelect('Relationship'), 'SELF');
    expect(popup.getTextbox('First Name')).toHaveValue('MARIA');
    expect(popup.differentCheckbox).not.toBeChecked();
    await popup.save();
    await waitFor(() => expect(view.getInsuranceRows()[1]).toHaveTextContent('LOPEZ, MARIA'));
  });

  it('asks before saving with missing information, and marks the row', async () => {
    const view = await openMaria({ insuranceInformation: [medicare] });
    const popup = await openEditor(view, 0);
    await view.user.click(popup.differentCheckbox);
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
    await closeDialogByEscape(view.user);

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
