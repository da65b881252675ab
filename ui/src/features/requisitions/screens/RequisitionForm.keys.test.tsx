import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { page, type Answers, type Seen } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import { readersMay, requisition } from '../../../test/requisitions';
import RequisitionForm from './RequisitionForm';

const ONE = '/api/v2/requisitions/12';
const { patient } = requisition();
const diabetes = { id: 5, code: 'E11.9', description: 'Type 2 diabetes mellitus' };

const draw = (parameters: Record<string, string>, answers: Answers = {}, role?: Role) =>
  renderPortal(<RequisitionForm />, {
    user: profile(role),
    path: '/secured/requisitions/create',
    parameters,
    answers: {
      [`GET ${ONE}`]: requisition(),
      [`POST ${ONE}`]: requisition({ version: 4 }),
      'GET /api/v2/patients/7': { ...patient, diagnoses: [], medications: [] },
      'GET /api/v2/patients/remote-operations': page([
        { ...patient, ssn: null, clientId: 1, clientName: 'NORTH SHORE', clientWebAccess: true },
      ]),
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
  });

const saves = (seen: readonly Seen[]) =>
  seen.filter(({ method, path }) => method === 'POST' && path === ONE);

describe('Save', () => {
  it.each(['{Control>}s{/Control}', '{Control>}{Enter}{/Control}'])(
    'is %s as well, from within a field',
    async (keys) => {
      const { user, seen } = await draw({ id: '12' });
      await user.click(await screen.findByRole('combobox', { name: 'Diagnoses' }));
      await user.keyboard(keys);
      expect(await screen.findByText(messages.REQUISITION_SAVED)).toBeVisible();
      expect(saves(seen)).toHaveLength(1);
    },
  );

  it('is not meant while a dialog is open, or where nothing can be saved', async () => {
    const { user, seen } = await draw({ id: '12' });
    await user.click(await screen.findByRole('button', { name: 'Cancel Requisition' }));
    await screen.findByRole('dialog');
    await user.keyboard('{Control>}s{/Control}');
    expect(saves(seen)).toHaveLength(0);
  });

  it.each(['Test code or name', 'Diagnoses', 'Medication'])(
    'waits for what is typed and not added: %s',
    async (name) => {
      const { user, seen } = await draw({ id: '12' });
      const field = await screen.findByRole('combobox', { name });
      await user.type(field, 'XQ7');
      await user.keyboard('{Tab}{Control>}s{/Control}');
      const said = say(messages.ENTRY_NOT_ADDED, { text: 'XQ7' });
      expect(await screen.findByText(said)).toBeVisible();
      await waitFor(() => expect(field).toHaveFocus());
      expect(field).toHaveValue('XQ7');
      expect(saves(seen)).toHaveLength(0);
      await user.clear(field);
      await user.keyboard('{Control>}s{/Control}');
      expect(await screen.findByText(messages.REQUISITION_SAVED)).toBeVisible();
    },
  );

  it('is not for who may not save', async () => {
    const { user, seen } = await draw(
      { id: '12' },
      { [`GET ${ONE}`]: requisition(readersMay) },
      Role.PHYSICIAN,
    );
    await screen.findByText(/OKONKWO, AISHA/);
    await user.keyboard('{Control>}s{/Control}');
    expect(saves(seen)).toHaveLength(0);
  });
});

describe('The way through the form', () => {
  it('begins with the search of the patient and goes on to the tests', async () => {
    const { user } = await draw({ search: 'patient' }, {}, Role.LABORATORY);
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

  it('does not search for a patient again when one is there', async () => {
    await draw({ search: 'patient', patientId: '7' });
    expect(await screen.findByText(/OKONKWO, AISHA/)).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('takes the primary physician by a key, and gives the previous one back', async () => {
    const { user } = await draw({ patientId: '7' });
    await screen.findByText(/OKONKWO, AISHA/);
    const same = screen.getByRole('checkbox', { name: 'Same as Primary Physician' });
    await user.click(screen.getByRole('combobox', { name: 'Test code or name' }));
    await user.keyboard('{Alt>}{Shift>}P{/Shift}{/Alt}');
    expect(same).toBeChecked();
    await user.keyboard('{Alt>}{Shift>}P{/Shift}{/Alt}');
    expect(same).not.toBeChecked();
  });

  it('takes a diagnosis by its code and Enter', async () => {
    const { user, seen } = await draw(
      { patientId: '7' },
      {
        'GET /api/v2/diagnoses/best-match': ({ query }: Seen) =>
          query.get('code') === 'e119' ? diabetes : null,
        'GET /api/v2/diagnoses/remote-operations': page([diabetes, { ...diabetes, id: 6 }]),
      },
    );
    await screen.findByText(/OKONKWO, AISHA/);
    const field = screen.getByRole('combobox', { name: 'Diagnoses' });
    await user.type(field, 'e11{Enter}');
    await waitFor(() => expect(seen.some(({ path }) => path.endsWith('best-match'))).toBe(true));
    expect(field).toHaveValue('e11');
    await user.clear(field);
    await user.type(field, 'e119{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove E11.9' })).toBeVisible();
    expect(field).toHaveValue('');
  });
});
