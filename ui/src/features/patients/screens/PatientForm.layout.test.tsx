import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { fillMaria, maria, openPatientForm } from '../../../test/patientForm';

const listOptions = (name: string) =>
  within(screen.getByRole('combobox', { name }))
    .getAllByRole('option')
    .map((option) => option.textContent)
    .filter((text) => text !== '');

describe('The patient form', () => {
  it('has the sections, fields, tabs and buttons of the specification', async () => {
    await openPatientForm();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('New Patient');
    for (const title of ['Client Information', 'Patient Information', 'Address']) {
      expect(screen.getByRole('heading', { name: title })).toBeVisible();
    }
    const form = screen.getByRole('form', { name: 'New Patient' });
    for (const label of [
      ...['Client', 'Unit', 'Room', 'Bed', 'Medical Record Id', 'Primary Physician'],
      ...['Last Name', 'First Name', 'Middle Name', 'Birth Date', 'Social Security Number'],
      ...['Gender', 'Sexual Orientation', 'Gender Identity', 'Race', 'Ethnic Group'],
      ...['Same as Client', 'Address', 'Zip Code', 'Zip plus 4', 'City', 'State'],
      ...['Phone', 'Mobile', 'Email'],
    ]) {
      const name = new RegExp(`^${label}( \\*)?$`);
      expect(within(form).getByLabelText(name, { selector: 'input, select' })).toBeVisible();
    }
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent.replace(/ ?\d+$/, ''))).toEqual([
      'Insurance Information',
      'Diagnoses',
      'Medications',
      'Responsible Party',
    ]);
    expect(screen.getByRole('button', { name: 'Save Patient' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeVisible();
  });

  it('has the title Edit Patient when an id is given', async () => {
    await openPatientForm({ id: '5' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Edit Patient');
  });

  it('offers the closed lists of the specification', async () => {
    await openPatientForm();
    expect(listOptions('Gender')).toEqual(['MALE', 'FEMALE', 'UNKNOWN']);
    expect(listOptions('Ethnic Group')).toEqual([
      'Hispanic Or Latino',
      'Non Hispanic Or Latino',
      'Unknown',
    ]);
    expect(listOptions('Race')).toHaveLength(13);
    expect(listOptions('Race')[0]).toBe('ALASKA NATIVE');
    expect(listOptions('Sexual Orientation')).toHaveLength(6);
    expect(listOptions('Gender Identity')).toHaveLength(7);
  });

  it('shows names, bed and medical record id in upper case, and masked numbers', async () => {
    const view = await openPatientForm();
    for (const name of [/^Last Name/, /^First Name/, /^Middle Name/, /^Bed/, /^Medical Record/]) {
      await view.user.type(view.getTextbox(name), 'ñb-1');
      expect(view.getTextbox(name)).toHaveValue('ÑB-1');
    }
    await view.user.type(view.getTextbox(/^Social Security/), '6661212349');
    expect(view.getTextbox(/^Social Security/)).toHaveValue('666-12-1234');
    for (const name of [/^Phone/, /^Mobile/]) {
      await view.user.type(view.getTextbox(name), '312555010188');
      expect(view.getTextbox(name)).toHaveValue('312-555-0101');
    }
    await view.user.type(view.getTextbox(/^Zip Code/), '606011');
    expect(view.getTextbox(/^Zip Code/)).toHaveValue('60601');
    expect(view.getTextbox(/^City/)).toHaveAttribute('readonly');
    expect(view.getTextbox(/^State/)).toHaveAttribute('readonly');
  });
});

describe('Leaving the patient form', () => {
  const FROM = '/secured/requisitions/search';

  async function openFromSearch() {
    const view = await openPatientForm({}, { 'POST /api/v2/patients': maria }, undefined, FROM);
    await act(() => view.router.navigate('/secured/patients/form'));
    return view;
  }

  it('goes back in history after a save without a path', async () => {
    const view = await openFromSearch();
    await fillMaria(view);
    await view.save();
    await waitFor(() => expect(view.router.state.location.pathname).toBe(FROM));
  });

  it('leads to a path with a query unchanged', async () => {
    const view = await openPatientForm(
      { redirectToPath: '/secured/requisitions/create?id=9' },
      { 'POST /api/v2/patients': maria },
    );
    await fillMaria(view);
    await view.save();
    await waitFor(() => expect(view.router.state.location.search).toBe('?id=9'));
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create');
  });

  it('goes back by Cancel, without a question while nothing was typed', async () => {
    const view = await openFromSearch();
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(view.router.state.location.pathname).toBe(FROM));
    expect(view.getLastWrite()).toBeUndefined();
  });

  it('keeps the typed values when the question is canceled', async () => {
    const view = await openFromSearch();
    await view.user.type(view.getTextbox(/^Last Name/), 'l');
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    const question = await screen.findByRole('dialog');
    expect(within(question).getByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await view.user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(view.router.state.location.pathname).toBe('/secured/patients/form');
    expect(view.getTextbox(/^Last Name/)).toHaveValue('L');
  });
});
