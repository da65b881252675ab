import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

import { buildPage, type Answers } from './portal';
import { buildRequisition } from './requisitions';

const { patient } = buildRequisition();

/** The patient of the saved requisition, and two that a user can choose instead. */
export const aisha = {
  ...patient,
  diagnoses: [{ id: 3, code: 'I10', description: 'Essential hypertension' }],
  medications: [{ name: 'LISINOPRIL' }],
};
export const jo = { ...patient, id: 9, code: 'P0000009', lastName: 'BRANDT', firstName: 'JO' };
export const ada = { ...patient, id: 8, code: 'P0000008', lastName: 'COLE', firstName: 'ADA' };

const toRow = ({ id, code, lastName, firstName }: typeof patient) => ({
  ...patient,
  ssn: null,
  clientId: 1,
  clientName: 'NORTH SHORE',
  clientWebAccess: true,
  id,
  code,
  lastName,
  firstName,
});

/** The requisition 12 of Aisha, and the patients of the search. */
export const patientAnswers: Answers = {
  'GET /api/v2/requisitions/12': buildRequisition(),
  'GET /api/v2/requisitions/12/documents': [],
  'GET /api/v2/patients/7': aisha,
  'GET /api/v2/patients/8': ada,
  'GET /api/v2/patients/9': {
    ...jo,
    diagnoses: [{ id: 4, code: 'E11.9', description: 'Type 2 diabetes mellitus' }],
    medications: [],
  },
  'GET /api/v2/patients/remote-operations': buildPage([jo, ada].map(toRow)),
  'GET /api/v2/patients/check-clients': true,
  'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
};

/** Searches for patients and chooses the one with this code. */
export async function choosePatient(user: UserEvent, code: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /(Select|Edit) Patient$/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
  await user.type(dialog.getByRole('textbox', { name: /^Last Name/ }), 'o');
  await user.type(dialog.getByRole('textbox', { name: /^First Name/ }), 'a');
  await user.click(dialog.getByRole('button', { name: 'Search' }));
  await user.click(await dialog.findByRole('gridcell', { name: code }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search Patient' })).toBeNull());
}
