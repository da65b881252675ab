import { screen, within } from '@testing-library/react';

import type { RouteParameters } from '../lib/matrix';
import { Role } from '../contract';
import type { PatientRecord } from '../features/patients/api';
import PatientForm from '../features/patients/screens/PatientForm';
import { buildPage, type Answers } from './portal';
import { buildProfile, renderPortal } from './render';

/** Invented people and places for tests of the patient form. */
export const lakeCare = {
  id: 1,
  code: 'LAKE',
  name: 'LAKE CARE',
  webAccess: true,
  unitsCount: 2,
  address: '12 LAKE ST',
  zipCode: { id: 4, code: '60601', city: 'CHICAGO', state: 'IL' },
  zipCodePlus4: '1200',
  phone: null,
  fax: null,
  defaultBillTo: null,
  requiresPhysician: false,
};
export const hillHome = { ...lakeCare, id: 2, code: 'HILL', name: 'HILL HOME', unitsCount: 0 };
export const east = { id: 11, name: 'EAST' };
export const west = { id: 12, name: 'WEST' };
export const room101 = { id: 21, name: '101', unitId: 11 };

export const maria: PatientRecord = {
  id: 5,
  code: 'P0000005',
  version: 3,
  canChange: { allowed: true, reason: null },
  clientId: 1,
  client: lakeCare,
  unitId: 11,
  unit: east,
  roomId: 21,
  room: room101,
  bed: 'A',
  medicalRecordId: null,
  primaryPhysicianId: null,
  primaryPhysician: null,
  firstName: 'MARIA',
  middleName: null,
  lastName: 'LOPEZ',
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  socialSecurityNumber: '666-12-1234',
  phone: '312-555-0101',
  mobile: null,
  email: null,
  address: '12 LAKE ST',
  zipCodeName: '60601',
  zipCodePlus4: '1200',
  zipCode: lakeCare.zipCode,
  sameAsClientAddress: true,
  ethnicity: null,
  sexualOrientationId: null,
  genderIdentityId: null,
  race: null,
  insuranceInformation: [],
  responsibleParties: [],
  diagnoses: [],
  medications: [],
};

export const SSN_CHECK = 'POST /api/v2/patients/validate-ssn';

/** Renders the form against a fake portal and returns helpers to use it. */
export async function openPatientForm(
  parameters: RouteParameters = {},
  answers: Answers = {},
  role?: Role,
  path = '/secured/patients/form',
) {
  const portal = await renderPortal(<PatientForm />, {
    user: buildProfile(role ?? Role.LABORATORY),
    parameters,
    path,
    answers: {
      'GET /api/v2/clients/remote-operations': buildPage([lakeCare, hillHome]),
      'GET /api/v2/clients/1/units/remote-operations': buildPage([east, west]),
      'GET /api/v2/clients/1/rooms/remote-operations': buildPage([room101]),
      'GET /api/v2/clients/units/12/rooms/remote-operations': buildPage([]),
      'GET /api/v2/address/zip-code': lakeCare.zipCode,
      'GET /api/v2/patients/5': maria,
      [SSN_CHECK]: false,
      'GET /api/v2/billing-information/bill-types/remote-operations': buildPage([
        { id: 1, name: 'MEDICARE' },
        { id: 2, name: 'COMMERCIAL' },
      ]),
      'GET /api/v2/billing-information/payers/remote-operations/1': buildPage([
        { id: 7, name: 'MEDICARE PART B', billTypeId: 1, billType: 'MEDICARE' },
      ]),
      'GET /api/v2/billing-information/payers/remote-operations/2': buildPage([
        { id: 8, name: 'AETNA', billTypeId: 2, billType: 'COMMERCIAL' },
      ]),
      ...answers,
    },
  });
  const title = parameters['id'] ? 'Edit Patient' : 'New Patient';
  await screen.findByRole('form', { name: title });
  const { user } = portal;
  const getTextbox = (name: RegExp) => screen.getByRole('textbox', { name });
  const getPicker = (name: RegExp) => screen.getByRole('combobox', { name });
  const choose = async (name: RegExp, option: string) => {
    await user.click(getPicker(name));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const save = () => user.click(screen.getByRole('button', { name: 'Save Patient' }));
  const getLastWrite = () =>
    portal.requests
      .filter(({ method, path }) => method.startsWith('P') && path.includes('patients'))
      // Queries, sent by POST so that no address contains a name or a number.
      .filter(({ path }) => !/\/(look-alikes|validate-ssn)$/.test(path))
      .at(-1);
  return { ...portal, getTextbox, getPicker, choose, save, getLastWrite };
}

export type PatientFormView = Awaited<ReturnType<typeof openPatientForm>>;

/** Fills in the required fields of a new patient. */
export async function fillMaria(view: PatientFormView) {
  await view.choose(/^Client/, 'HILL HOME');
  await view.user.type(view.getTextbox(/^Last Name/), 'lopez');
  await view.user.type(view.getTextbox(/^First Name/), 'maria');
  await view.user.type(view.getTextbox(/^Birth Date/), '03041961');
  await view.user.selectOptions(screen.getByRole('combobox', { name: 'Gender' }), 'FEMALE');
  await view.user.click(screen.getByRole('checkbox', { name: 'Same as Client' }));
}

/** Opens Maria's form with these lists; saving returns the record unchanged. */
export async function openMaria(lists: Partial<PatientRecord> = {}, answers: Answers = {}) {
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
