import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { RouteParameters } from '../../../components';
import { messages, Role, say } from '../../../contract';
import { page, problem, type Answers } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import PatientForm from './PatientForm';

const lakeCare = {
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
};
const hillHome = { ...lakeCare, id: 2, code: 'HILL', name: 'HILL HOME', unitsCount: 0 };
const east = { id: 11, name: 'EAST' };
const west = { id: 12, name: 'WEST' };
const room101 = { id: 21, name: '101', unitId: 11 };

const maria = {
  id: 5,
  code: 'P0000005',
  version: 3,
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

const SSN_CHECK = 'GET /api/v2/patients/validate-ssn';

async function open(parameters: RouteParameters = {}, answers: Answers = {}, role?: Role) {
  const portal = await renderPortal(<PatientForm />, {
    user: profile(role ?? Role.LABORATORY),
    parameters,
    path: '/secured/patients/form',
    answers: {
      'GET /api/v2/clients/remote-operations': page([lakeCare, hillHome]),
      'GET /api/v2/clients/1/units/remote-operations': page([east, west]),
      'GET /api/v2/clients/1/rooms/remote-operations': page([room101]),
      'GET /api/v2/clients/units/12/rooms/remote-operations': page([]),
      'GET /api/v2/address/zip-code': lakeCare.zipCode,
      'GET /api/v2/patients/5': maria,
      [SSN_CHECK]: false,
      ...answers,
    },
  });
  const title = parameters['id'] ? 'Edit Patient' : 'New Patient';
  await screen.findByRole('form', { name: title });
  const { user } = portal;
  const box = (name: RegExp) => screen.getByRole('textbox', { name });
  const picker = (name: RegExp) => screen.getByRole('combobox', { name });
  const choose = async (name: RegExp, option: string) => {
    await user.click(picker(name));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const save = () => user.click(screen.getByRole('button', { name: 'Save Patient' }));
  const written = () =>
    portal.seen.filter((one) => one.method.startsWith('P') && one.path.includes('patients')).at(-1);
  return { ...portal, box, picker, choose, save, written };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function fillMaria(view: Opened) {
  await view.choose(/^Client/, 'HILL HOME');
  await view.user.type(view.box(/^Last Name/), 'lopez');
  await view.user.type(view.box(/^First Name/), 'maria');
  await view.user.type(view.box(/^Birth Date/), '03041961');
  await view.user.selectOptions(screen.getByRole('combobox', { name: 'Gender' }), 'FEMALE');
  await view.user.click(screen.getByRole('checkbox', { name: 'Same as Client' }));
}

describe('Validation', () => {
  it('names every field that a patient can not be without', async () => {
    const view = await open();
    await view.save();
    for (const message of [
      messages.CLIENT_REQUIRED,
      messages.LAST_NAME_REQUIRED,
      messages.FIRST_NAME_REQUIRED,
      messages.BIRTH_DATE_REQUIRED,
      messages.GENDER_REQUIRED,
      messages.ADDRESS_REQUIRED,
      messages.ZIP_CODE_REQUIRED,
      'Zip plus 4 is required',
    ]) {
      expect(await screen.findByText(message)).toBeVisible();
    }
    expect(screen.queryByText(messages.UNIT_REQUIRED)).toBeNull();
    expect(view.written()).toBeUndefined();
  });

  it('wants a unit where the client has units', async () => {
    const view = await open();
    await view.choose(/^Client/, 'LAKE CARE');
    await view.save();
    expect(await screen.findByText(messages.UNIT_REQUIRED)).toBeVisible();
    await view.choose(/^Unit/, 'EAST');
    await waitFor(() => expect(screen.queryByText(messages.UNIT_REQUIRED)).toBeNull());
  });

  it('checks dates, numbers and the e-mail as they are left', async () => {
    const view = await open();
    await view.user.type(view.box(/^Birth Date/), '12311899');
    await view.user.type(view.box(/^Phone/), '31255');
    await view.user.type(view.box(/^Email/), 'maria@home');
    await view.user.tab();
    expect(await screen.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(await screen.findByText(messages.PHONE_INVALID)).toBeVisible();
    expect(await screen.findByText(messages.EMAIL_INVALID)).toBeVisible();
  });

  it('asks the portal whether the SSN is in use, leaving the patient itself out', async () => {
    const view = await open({ id: '5' }, { [SSN_CHECK]: true });
    await view.user.clear(view.box(/^Social Security Number/));
    await view.user.type(view.box(/^Social Security Number/), '666129999');
    await view.user.tab();
    expect(await screen.findByText(messages.SSN_IN_USE)).toBeVisible();
    const asked = view.seen.filter((one) => `${one.method} ${one.path}` === SSN_CHECK).at(-1);
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({ ssn: '666129999', patientId: '5' });
  });
});

describe('Fields that depend on each other', () => {
  it('empties unit and room when the client changes', async () => {
    const view = await open({ id: '5' });
    expect(view.picker(/^Unit/)).toHaveValue('EAST');
    await view.choose(/^Client/, 'HILL HOME');
    expect(view.picker(/^Unit/)).toHaveValue('');
    expect(view.picker(/^Unit/)).toBeDisabled();
    expect(view.picker(/^Room/)).toHaveValue('');
  });

  it('fills in the unit of a room', async () => {
    const view = await open(
      {},
      {
        'GET /api/v2/clients/1/units/remote-operations': (request: { query: URLSearchParams }) =>
          page(request.query.get('column.id') === '11' ? [east] : [east, west]),
      },
    );
    await view.choose(/^Client/, 'LAKE CARE');
    await view.choose(/^Room/, '101');
    await waitFor(() => expect(view.picker(/^Unit/)).toHaveValue('EAST'));
  });

  it('takes a room away when another unit is chosen, and offers that unit only', async () => {
    const view = await open({ id: '5' });
    await view.choose(/^Unit/, 'WEST');
    expect(view.picker(/^Room/)).toHaveValue('');
    await view.user.click(view.picker(/^Room/));
    await waitFor(() =>
      expect(view.seen.at(-1)?.path).toBe('/api/v2/clients/units/12/rooms/remote-operations'),
    );
  });

  it('copies the address of the client, and clears it again', async () => {
    const view = await open();
    const same = screen.getByRole('checkbox', { name: 'Same as Client' });
    expect(same).toBeDisabled();
    await view.choose(/^Client/, 'LAKE CARE');
    await view.user.click(same);
    expect(view.box(/^Address/)).toHaveValue('12 LAKE ST');
    expect(view.box(/^Zip Code/)).toHaveValue('60601');
    expect(view.box(/^Zip plus 4/)).toHaveValue('1200');
    await waitFor(() => expect(view.box(/^City/)).toHaveValue('CHICAGO'));
    expect(view.box(/^State/)).toHaveValue('IL');
    expect(view.box(/^City/)).toHaveAttribute('readonly');
    await view.user.click(same);
    expect(view.box(/^Address/)).toHaveValue('');
    expect(view.box(/^City/)).toHaveValue('');
  });

  it('says when there is no such zip code', async () => {
    const view = await open({}, { 'GET /api/v2/address/zip-code': () => Response.json(null) });
    await view.user.type(view.box(/^Zip Code/), '00000');
    expect(
      await screen.findByText(say(messages.ZIP_CODE_UNKNOWN, { code: '00000' })),
    ).toBeVisible();
  });

  it('begins with the client of somebody who has only one', async () => {
    const view = await open(
      {},
      { 'GET /api/v2/clients/remote-operations': page([lakeCare]) },
      Role.CLIENT_BASIC,
    );
    expect(view.picker(/^Client/)).toHaveValue('LAKE CARE');
  });

  it('is filled with what was searched for', async () => {
    const view = await open({
      lastName: 'Lopez',
      firstName: 'Maria',
      dob: '03/04/1961',
      ssn: '666-12-1234',
      race: 'MARTIAN',
    });
    expect(view.box(/^Last Name/)).toHaveValue('LOPEZ');
    expect(view.box(/^Birth Date/)).toHaveValue('03/04/1961');
    expect(view.box(/^Social Security Number/)).toHaveValue('666-12-1234');
    expect(screen.getByRole('combobox', { name: 'Race' })).toHaveValue('');
  });
});

describe('Saving', () => {
  it('registers the patient and returns with the id where it was asked for', async () => {
    const view = await open(
      { redirectToPath: '/secured/requisitions/create' },
      { 'POST /api/v2/patients': maria },
    );
    await fillMaria(view);
    await view.save();
    expect(await screen.findByText(messages.PATIENT_SAVED)).toBeVisible();
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;patientId=5');
    expect(view.written()?.body).toMatchObject({
      clientId: 2,
      unitId: null,
      lastName: 'LOPEZ',
      birthDate: '1961-03-04',
      gender: 'FEMALE',
      sameAsClientAddress: true,
      zipCodeName: '60601',
      zipCodePlus4: '1200',
      phone: null,
      ethnicity: null,
    });
  });

  it('leaves a path with parameters as it is, and never leads out of the portal', async () => {
    const view = await open(
      { id: '5', redirectToPath: '/secured/requisitions/create;id=9' },
      { 'PUT /api/v2/patients/5': { ...maria, version: 4 } },
    );
    await view.user.type(view.box(/^Bed/), 'b');
    await view.save();
    await waitFor(() =>
      expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;id=9'),
    );
    expect(view.written()?.headers.get('If-Match')).toBe('"3"');
  });

  it('shows what the portal refuses at its field', async () => {
    const view = await open(
      { id: '5' },
      {
        'PUT /api/v2/patients/5': () =>
          problem(400, 'bad_input', messages.VALIDATION_ERROR, [
            { field: 'roomId', message: messages.ROOM_NOT_OF_CLIENT },
            { field: 'zipCodeName', message: messages.VALUE_INVALID },
          ]),
      },
    );
    await view.user.type(view.box(/^Bed/), 'b');
    await view.save();
    expect(await screen.findByText(messages.ROOM_NOT_OF_CLIENT)).toBeVisible();
    expect(view.picker(/^Room/)).toHaveAccessibleDescription(messages.ROOM_NOT_OF_CLIENT);
    expect(view.box(/^Zip Code/)).toHaveAccessibleDescription(messages.VALUE_INVALID);
    expect(view.box(/^Bed/)).toHaveValue('AB');
  });

  it('loses nothing when somebody else saved meanwhile', async () => {
    let version = 3;
    const view = await open(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, version, bed: version > 3 ? 'C' : 'A' }),
        'PUT /api/v2/patients/5': () => problem(412, 'stale_version', messages.VERSION_STALE),
      },
    );
    await view.user.type(view.box(/^Middle Name/), 'inez');
    version = 4;
    await view.save();
    const banner = await screen.findByText(messages.VERSION_CONFLICT);
    const notice = banner.closest<HTMLElement>('[role=alert]') ?? document.body;
    expect(within(notice).getByText('Changed meanwhile: Bed.')).toBeVisible();
    expect(view.box(/^Middle Name/)).toHaveValue('INEZ');
    await view.user.click(within(notice).getByRole('button', { name: /newer version/ }));
    expect(view.box(/^Middle Name/)).toHaveValue('');
    expect(view.box(/^Bed/)).toHaveValue('C');
  });

  it('asks before unsaved changes are lost', async () => {
    const view = await open({ redirectToPath: '/secured/requisitions/create' });
    await view.user.type(view.box(/^Last Name/), 'l');
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeInTheDocument();
    expect(view.router.state.location.pathname).toBe('/secured/patients/form');
  });
});
