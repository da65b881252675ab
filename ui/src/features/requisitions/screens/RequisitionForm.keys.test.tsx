import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { buildPage, type Answers, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { readerPermissions, buildRequisition } from '../../../test/requisitions';
import RequisitionForm from './RequisitionForm';

const REQUISITION_PATH = '/api/v2/requisitions/12';
const { patient } = buildRequisition();
const diabetes = { id: 5, code: 'E11.9', description: 'Type 2 diabetes mellitus' };

const renderForm = (parameters: Record<string, string>, answers: Answers = {}, role?: Role) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(role),
    path: '/secured/requisitions/create',
    parameters,
    answers: {
      [`GET ${REQUISITION_PATH}`]: buildRequisition(),
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
      'GET /api/v2/patients/7': { ...patient, diagnoses: [], medications: [] },
      'GET /api/v2/patients/remote-operations': buildPage([
        { ...patient, ssn: null, clientId: 1, clientName: 'NORTH SHORE', clientWebAccess: true },
      ]),
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
  });

const listSaves = (requests: readonly SentRequest[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path === REQUISITION_PATH);

describe('Save', () => {
  it.each(['{Control>}s{/Control}', '{Control>}{Enter}{/Control}'])(
    'is also %s, even within a field',
    async (keys) => {
      const { user, requests } = await renderForm({ id: '12' });
      await user.click(await screen.findByRole('combobox', { name: 'Diagnoses' }));
      await user.keyboard(keys);
      expect(await screen.findByText(messages.REQUISITION_SAVED)).toBeVisible();
      expect(listSaves(requests)).toHaveLength(1);
    },
  );

  it('does nothing while a dialog is open', async () => {
    const { user, requests } = await renderForm({ id: '12' });
    await user.click(await screen.findByRole('button', { name: 'Cancel Requisition' }));
    await screen.findByRole('dialog');
    await user.keyboard('{Control>}s{/Control}');
    expect(listSaves(requests)).toHaveLength(0);
  });

  it.each(['Test code or name', 'Diagnoses', 'Medication'])(
    'stops at pending text: %s',
    async (name) => {
      const { user, requests } = await renderForm({ id: '12' });
      const field = await screen.findByRole('combobox', { name });
      await user.type(field, 'XQ7');
      await user.keyboard('{Tab}{Control>}s{/Control}');
      const message = say(messages.ENTRY_NOT_ADDED, { field: name, text: 'XQ7' });
      expect(await screen.findByText(message)).toBeVisible();
      await waitFor(() => expect(field).toHaveFocus());
      expect(field).toHaveValue('XQ7');
      expect(listSaves(requests)).toHaveLength(0);
      await user.clear(field);
      await user.keyboard('{Control>}s{/Control}');
      expect(await screen.findByText(messages.REQUISITION_SAVED)).toBeVisible();
    },
  );

  it('does nothing without the permission to save', async () => {
    const { user, requests } = await renderForm(
      { id: '12' },
      { [`GET ${REQUISITION_PATH}`]: buildRequisition(readerPermissions) },
      Role.PATIENT,
    );
    await screen.findByText(/OKONKWO, AISHA/);
    await user.keyboard('{Control>}s{/Control}');
    expect(listSaves(requests)).toHaveLength(0);
  });
});

describe('Keyboard entry', () => {
  it('starts with the patient search and continues with the tests', async () => {
    const { user } = await renderForm({ search: 'patient' }, {}, Role.LABORATORY);
    const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
    await user.type(dialog.getByRole('textbox', { name: /^Last Name/ }), 'o');
    await user.type(dialog.getByRole('textbox', { name: /^First Name/ }), 'a');
    await user.click(dialog.getByRole('button', { name: 'Search' }));
    await user.click(await dialog.findByRole('gridcell', { name: 'P0000007' }));
    await screen.findByRole('button', { name: 'Edit Patient' });
    const tests = screen.getByRole('combobox', { name: 'Test code or name' });
    await waitFor(() => expect(tests).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(screen.getByRole('combobox', { name: 'Diagnoses' })).toHaveFocus();
  });

  it('does not search for a patient if there is one', async () => {
    await renderForm({ search: 'patient', patientId: '7' });
    expect(await screen.findByText(/OKONKWO, AISHA/)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('chooses the primary physician by a key, and restores the previous one', async () => {
    const { user } = await renderForm({ patientId: '7' });
    await screen.findByText(/OKONKWO, AISHA/);
    const sameAsPrimary = screen.getByRole('checkbox', { name: 'Same as Primary Physician' });
    await user.click(screen.getByRole('combobox', { name: 'Test code or name' }));
    await user.keyboard('{Alt>}{Shift>}P{/Shift}{/Alt}');
    expect(sameAsPrimary).toBeChecked();
    await user.keyboard('{Alt>}{Shift>}P{/Shift}{/Alt}');
    expect(sameAsPrimary).not.toBeChecked();
  });

  it('adds a diagnosis by its code and Enter, even one that no list offers', async () => {
    const { user } = await renderForm(
      { patientId: '7' },
      {
        'GET /api/v2/diagnoses/best-match': ({ query }: SentRequest) =>
          query.get('code') === 'e119' ? diabetes : null,
        'GET /api/v2/diagnoses/remote-operations': buildPage([]),
      },
    );
    await screen.findByText(/OKONKWO, AISHA/);
    const field = screen.getByRole('combobox', { name: 'Diagnoses' });
    await user.type(field, 'e11{Enter}');
    expect(
      await screen.findByText(say(messages.DIAGNOSIS_NOT_FOUND, { text: 'e11' })),
    ).toBeVisible();
    expect(field).toHaveValue('e11');
    await user.clear(field);
    await user.type(field, 'e119{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove E11.9' })).toBeVisible();
    expect(field).toHaveValue('');
  });
});
