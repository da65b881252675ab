import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { openMaria } from '../../../test/patientForm';
import { buildPage, type SentRequest } from '../../../test/portal';
import type { PartyRecord } from '../parties';

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
        'GET /api/v2/diagnoses/remote-operations': buildPage([
          { id: 51, code: 'E11.9', description: 'Type 2 diabetes' },
        ]),
        'GET /api/v2/medications/remote-operations': ({ query }: SentRequest) =>
          buildPage(
            query.get('search') === 'OWN MIX' ? [] : [{ id: 61, name: 'METFORMIN 500 MG' }],
          ),
      },
    );
    await view.openTab(/^Diagnoses/);
    await view.choose(/^Diagnoses/, 'E11.9 Type 2 diabetes');
    expect(screen.getByRole('tab', { name: 'Diagnoses 1' })).toBeInTheDocument();
    await view.openTab(/^Medications/);
    await view.choose(/^Medication/, 'METFORMIN 500 MG');
    await view.user.type(view.getPicker(/^Medication/), 'own mix{Enter}');
    expect(await screen.findByRole('tab', { name: 'Medications 3' })).toBeInTheDocument();
    await view.user.click(screen.getByRole('button', { name: 'Remove ASPIRIN' }));
    await view.save();
    await waitFor(() => expect(view.getWrittenBody()['diagnoses']).toEqual([{ id: 51 }]));
    expect(view.getWrittenBody()['medications']).toEqual([
      { name: 'METFORMIN 500 MG' },
      { name: 'OWN MIX' },
    ]);
  });

  it('accepts an unlisted medication by mouse too', async () => {
    const view = await openMaria(
      {},
      { 'GET /api/v2/medications/remote-operations': buildPage([]) },
    );
    await view.openTab(/^Medications/);
    await view.user.type(view.getPicker(/^Medication/), 'own mix');
    await view.user.click(await screen.findByRole('option', { name: 'Add OWN MIX' }));
    expect(screen.getByRole('button', { name: 'Remove OWN MIX' })).toBeInTheDocument();
  });
});
