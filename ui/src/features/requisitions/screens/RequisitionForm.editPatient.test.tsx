import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { messages, Role } from '../../../contract';
import { maria } from '../../../test/patientForm';
import { buildPage, buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import {
  enterComment,
  findComments,
  FORM,
  orderTest,
  REQUISITION_PATH,
  renderForm,
  RoutedForm,
} from '../../../test/requisitionForm';
import { buildInsuranceRecord, buildRequisition } from '../../../test/requisitions';

const DRAFT = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';
const PATIENT_PATH = '/api/v2/patients/7';
const DRAFTS_PATH = '/api/v2/requisitions/drafts';
const { patient } = buildRequisition();
const aisha = {
  ...maria,
  ...patient,
  unit: { id: 11, name: 'WEST' },
  room: { id: 21, name: '101', unitId: 11 },
  client: { ...maria.client, ...patient.client },
  medications: [{ id: 1, name: 'LISINOPRIL' }],
  insuranceInformation: [buildInsuranceRecord()],
};

/** Answers of a portal that stores drafts and the patient. */
function storePatient(changes: Partial<typeof aisha> = {}): Answers {
  let storedPatient = { ...aisha, ...changes };
  let drafts: unknown[] = [];
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(DRAFT);
  return {
    [`GET ${PATIENT_PATH}`]: () => storedPatient,
    [`PUT ${PATIENT_PATH}`]: ({ body }: SentRequest) => {
      const { lastName, bed } = body as typeof aisha;
      storedPatient = { ...storedPatient, lastName, bed, version: storedPatient.version + 1 };
      return storedPatient;
    },
    [`GET ${DRAFTS_PATH}`]: () => drafts,
    [`PUT ${DRAFTS_PATH}/${DRAFT}`]: ({ body }: SentRequest) => {
      drafts = [{ id: DRAFT, savedAt: '2026-03-27T09:00:00+00:00', ...(body as object) }];
      return { id: DRAFT };
    },
    'GET /api/v2/clients/remote-operations': buildPage([{ ...maria.client, unitsCount: 0 }]),
    'GET /api/v2/address/zip-code': maria.zipCode,
    'POST /api/v2/patients/validate-ssn': false,
    'GET /api/v2/patients/7/billing-info': () => storedPatient.insuranceInformation,
    'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
  };
}

async function openDetails(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Edit Patient' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
  const current = within(dialog.getByRole('region', { name: 'Current patient' }));
  expect(current.getByText(/OKONKWO, AISHA/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Search' })).toBeVisible();
  await user.click(current.getByRole('button', { name: 'Edit details' }));
}

async function rename(user: UserEvent, lastName: string) {
  await screen.findByRole('form', { name: 'Edit Patient' });
  const field = screen.getByRole('textbox', { name: /^Last Name/ });
  await user.clear(field);
  await user.type(field, lastName);
  await user.click(screen.getByRole('button', { name: 'Save Patient' }));
}

describe('Edit Patient', () => {
  it('leads to the form of the patient and back to a saved requisition with its edits', async () => {
    const view = await renderForm({
      ...storePatient(),
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
    });
    const { user, requests } = view;
    await enterComment(user, 'Call first');
    await openDetails(user);
    await rename(user, 'married');
    // The patient's form shows the new name too, as the insured person.
    expect(await findComments()).toHaveTextContent('Call first');
    expect(
      within(screen.getByRole('group', { name: 'Patient' })).getByText(/MARRIED, AISHA/),
    ).toBeVisible();
    expect(screen.queryByText(messages.UNSAVED_CHANGES)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Continue with it' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    const save = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(save?.body).toMatchObject({
      patientId: 7,
      refreshPatient: true,
      comments: '<p>Call first</p>',
    });
    expect(save?.query.get('draftId')).toBe(DRAFT);
  });

  it('leads back to a new requisition with its tests', async () => {
    const { user } = await renderForm(storePatient(), `${FORM};patientId=7`);
    await orderTest(user);
    await openDetails(user);
    await rename(user, 'married');
    expect(await screen.findByRole('button', { name: 'Remove Thyroid' })).toBeVisible();
    expect(
      within(screen.getByRole('group', { name: 'Patient' })).getByText(/MARRIED, AISHA/),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove LISINOPRIL' })).toBeVisible();
    expect(screen.getByRole('grid', { name: 'Billing Information' })).toHaveTextContent('AETNA');
  });

  it('keeps the edits if the details were not changed', async () => {
    const { user } = await renderForm(storePatient(), `${FORM};patientId=7`);
    await orderTest(user);
    await openDetails(user);
    await screen.findByRole('form', { name: 'Edit Patient' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: 'Remove Thyroid' })).toBeVisible();
    expect(
      within(screen.getByRole('group', { name: 'Patient' })).getByText(/OKONKWO, AISHA/),
    ).toBeVisible();
  });

  it('stays on the requisition if the edits cannot be stored', async () => {
    const { user } = await renderForm(
      { ...storePatient(), [`PUT ${DRAFTS_PATH}/${DRAFT}`]: buildProblem(503, 'unavailable', '') },
      `${FORM};patientId=7`,
    );
    await orderTest(user);
    await openDetails(user);
    expect(await screen.findByText(messages.DRAFT_NOT_STORED)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove Thyroid' })).toBeVisible();
  });

  it('asks nothing and stores nothing without edits', async () => {
    const { user, requests, router } = await renderForm(storePatient());
    await findComments();
    await openDetails(user);
    await screen.findByRole('form', { name: 'Edit Patient' });
    expect(router.state.location.pathname).toBe('/secured/patients/form;id=7');
    expect(requests.some(({ method, path }) => method === 'PUT' && path.includes('drafts'))).toBe(
      false,
    );
  });

  it('is not offered to a role that may not change patients', async () => {
    const { user } = await renderPortal(<RoutedForm />, {
      user: buildProfile(Role.PHYSICIAN),
      path: `${FORM};id=12`,
      answers: { [`GET ${REQUISITION_PATH}`]: buildRequisition() },
    });
    await findComments();
    await user.click(screen.getByRole('button', { name: 'Edit Patient' }));
    const current = within(await screen.findByRole('region', { name: 'Current patient' }));
    expect(current.getByText(/OKONKWO, AISHA/)).toBeVisible();
    expect(current.queryByRole('button', { name: 'Edit details' })).toBeNull();
  });
});
