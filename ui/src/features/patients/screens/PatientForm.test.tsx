import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import {
  east,
  fillMaria,
  lakeCare,
  maria,
  openPatientForm,
  SSN_CHECK,
  west,
} from '../../../test/patientForm';
import { page, problem } from '../../../test/portal';

describe('Validation', () => {
  it('names every required field', async () => {
    const view = await openPatientForm();
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
    expect(view.getLastWrite()).toBeUndefined();
  });

  it('requires a unit if the client has units', async () => {
    const view = await openPatientForm();
    await view.choose(/^Client/, 'LAKE CARE');
    await view.save();
    expect(await screen.findByText(messages.UNIT_REQUIRED)).toBeVisible();
    await view.choose(/^Unit/, 'EAST');
    await waitFor(() => expect(screen.queryByText(messages.UNIT_REQUIRED)).toBeNull());
  });

  it('rejects an unknown zip code and an incomplete zip plus 4', async () => {
    const view = await openPatientForm(
      {},
      { 'GET /api/v2/address/zip-code': () => Response.json(null) },
    );
    await fillMaria(view);
    await view.user.click(screen.getByRole('checkbox', { name: 'Same as Client' }));
    await view.user.type(view.getTextbox(/^Address/), '1 Nowhere');
    await view.user.type(view.getTextbox(/^Zip Code/), '00000');
    await view.user.type(view.getTextbox(/^Zip plus 4/), '12');
    await view.save();
    expect(
      await screen.findByText(say(messages.ZIP_CODE_UNKNOWN, { code: '00000' })),
    ).toBeVisible();
    expect(await screen.findByText(messages.ZIP_CODE_PLUS4_INVALID)).toBeVisible();
    expect(view.getLastWrite()).toBeUndefined();
  });

  it('accepts short birth dates', async () => {
    const view = await openPatientForm();
    await view.user.type(view.getTextbox(/^Birth Date/), '3/4/61');
    await view.user.tab();
    expect(view.getTextbox(/^Birth Date/)).toHaveValue('03/04/1961');
    await view.user.clear(view.getTextbox(/^Birth Date/));
    await view.user.type(view.getTextbox(/^Birth Date/), '3/4/1961');
    expect(view.getTextbox(/^Birth Date/)).toHaveValue('03/04/1961');
  });

  it('checks dates, numbers and the e-mail address when their field loses the focus', async () => {
    const view = await openPatientForm();
    await view.user.type(view.getTextbox(/^Birth Date/), '12311899');
    await view.user.type(view.getTextbox(/^Phone/), '31255');
    await view.user.type(view.getTextbox(/^Mobile/), '31255');
    await view.user.type(view.getTextbox(/^Email/), 'maria@home');
    await view.user.tab();
    expect(await screen.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(await screen.findByText(messages.PHONE_INVALID)).toBeVisible();
    expect(await screen.findByText(messages.MOBILE_INVALID)).toBeVisible();
    expect(await screen.findByText(messages.EMAIL_INVALID)).toBeVisible();
  });

  it('checks whether another patient has the SSN', async () => {
    const view = await openPatientForm({ id: '5' }, { [SSN_CHECK]: true });
    await view.user.clear(view.getTextbox(/^Social Security Number/));
    await view.user.type(view.getTextbox(/^Social Security Number/), '666129999');
    await view.user.tab();
    expect(await screen.findByText(messages.SSN_IN_USE)).toBeVisible();
    const checkRequest = view.requests
      .filter((request) => `${request.method} ${request.path}` === SSN_CHECK)
      .at(-1);
    expect(Object.fromEntries(checkRequest?.query ?? [])).toEqual({
      ssn: '666129999',
      patientId: '5',
    });
  });
});

describe('Fields that depend on each other', () => {
  it('clears unit and room when the client changes', async () => {
    const view = await openPatientForm({ id: '5' });
    expect(view.getPicker(/^Unit/)).toHaveValue('EAST');
    await view.choose(/^Client/, 'HILL HOME');
    expect(view.getPicker(/^Unit/)).toHaveValue('');
    expect(view.getPicker(/^Unit/)).toBeDisabled();
    expect(view.getPicker(/^Room/)).toHaveValue('');
  });

  it('fills in the unit of a room', async () => {
    const view = await openPatientForm(
      {},
      {
        'GET /api/v2/clients/1/units/remote-operations': (request: { query: URLSearchParams }) =>
          page(request.query.get('column.id') === '11' ? [east] : [east, west]),
      },
    );
    await view.choose(/^Client/, 'LAKE CARE');
    await view.choose(/^Room/, '101');
    await waitFor(() => expect(view.getPicker(/^Unit/)).toHaveValue('EAST'));
  });

  it('clears the room when the unit changes, and offers only rooms of that unit', async () => {
    const view = await openPatientForm({ id: '5' });
    await view.choose(/^Unit/, 'WEST');
    expect(view.getPicker(/^Room/)).toHaveValue('');
    await view.user.click(view.getPicker(/^Room/));
    await waitFor(() =>
      expect(view.requests.at(-1)?.path).toBe('/api/v2/clients/units/12/rooms/remote-operations'),
    );
  });

  it("copies the client's address, and clears it again", async () => {
    const view = await openPatientForm();
    const same = screen.getByRole('checkbox', { name: 'Same as Client' });
    expect(same).toBeDisabled();
    await view.choose(/^Client/, 'LAKE CARE');
    await view.user.click(same);
    expect(view.getTextbox(/^Address/)).toHaveValue('12 LAKE ST');
    expect(view.getTextbox(/^Zip Code/)).toHaveValue('60601');
    expect(view.getTextbox(/^Zip plus 4/)).toHaveValue('1200');
    await waitFor(() => expect(view.getTextbox(/^City/)).toHaveValue('CHICAGO'));
    expect(view.getTextbox(/^State/)).toHaveValue('IL');
    expect(view.getTextbox(/^City/)).toHaveAttribute('readonly');
    await view.user.click(same);
    expect(view.getTextbox(/^Address/)).toHaveValue('');
    expect(view.getTextbox(/^City/)).toHaveValue('');
  });

  it('reports an unknown zip code', async () => {
    const view = await openPatientForm(
      {},
      { 'GET /api/v2/address/zip-code': () => Response.json(null) },
    );
    await view.user.type(view.getTextbox(/^Zip Code/), '00000');
    expect(
      await screen.findByText(say(messages.ZIP_CODE_UNKNOWN, { code: '00000' })),
    ).toBeVisible();
  });

  it('chooses the unit of a client with a single one', async () => {
    const oneUnit = { ...lakeCare, unitsCount: 1 };
    const view = await openPatientForm(
      {},
      {
        'GET /api/v2/clients/remote-operations': page([oneUnit]),
        'GET /api/v2/clients/1/units/remote-operations': page([east]),
      },
    );
    await view.choose(/^Client/, 'LAKE CARE');
    await waitFor(() => expect(view.getPicker(/^Unit/)).toHaveValue('EAST'));
  });

  it('loads no units for a client without any', async () => {
    const view = await openPatientForm();
    await view.choose(/^Client/, 'HILL HOME');
    expect(view.requests.filter(({ path }) => /units|rooms/.test(path))).toEqual([]);
  });

  it('starts with the client of a user with only one', async () => {
    const view = await openPatientForm(
      {},
      { 'GET /api/v2/clients/remote-operations': page([lakeCare]) },
      Role.CLIENT_BASIC,
    );
    expect(view.getPicker(/^Client/)).toHaveValue('LAKE CARE');
  });

  it('is filled with the search criteria', async () => {
    const view = await openPatientForm({
      lastName: 'Lopez',
      firstName: 'Maria',
      dob: '03/04/1961',
      ssn: '666-12-1234',
      race: 'MARTIAN',
      ethnicity: 'null',
    });
    expect(view.getTextbox(/^Last Name/)).toHaveValue('LOPEZ');
    expect(view.getTextbox(/^Birth Date/)).toHaveValue('03/04/1961');
    expect(view.getTextbox(/^Social Security Number/)).toHaveValue('666-12-1234');
    expect(screen.getByRole('combobox', { name: 'Race' })).toHaveValue('');
  });
});

describe('Zip plus 4', () => {
  const SERVICE = 'GET /api/v2/address/zip-code/60601/zip-code-extra';

  async function typeAddress(view: Awaited<ReturnType<typeof openPatientForm>>) {
    await view.user.type(view.getTextbox(/^Zip Code/), '60601');
    await view.user.type(view.getTextbox(/^Address/), '12 lake st');
    expect(view.requests.some(({ path }) => path.endsWith('zip-code-extra'))).toBe(false);
    await view.user.tab();
  }

  it('is filled in once address and zip code are known', async () => {
    const view = await openPatientForm({}, { [SERVICE]: () => Response.json('1200') });
    await typeAddress(view);
    await waitFor(() => expect(view.getTextbox(/^Zip plus 4/)).toHaveValue('1200'));
    const lookups = view.requests.filter(({ path }) => path.endsWith('zip-code-extra'));
    expect(lookups.map(({ query }) => query.get('address'))).toEqual(['12 LAKE ST']);
  });

  it('is never overwritten', async () => {
    const view = await openPatientForm({}, { [SERVICE]: () => Response.json('1200') });
    await view.user.type(view.getTextbox(/^Zip plus 4/), '0009');
    await typeAddress(view);
    expect(view.requests.some(({ path }) => path.endsWith('zip-code-extra'))).toBe(false);
    expect(view.getTextbox(/^Zip plus 4/)).toHaveValue('0009');
  });

  it('is typed by hand if the service fails, with a note below the field', async () => {
    const view = await openPatientForm(
      {},
      { [SERVICE]: () => problem(503, 'address_service_failed', messages.UNAVAILABLE) },
    );
    await typeAddress(view);
    expect(await screen.findByText(messages.ZIP_CODE_PLUS4_UNAVAILABLE)).toBeVisible();
    expect(screen.queryByText(messages.UNAVAILABLE)).toBeNull();
    await view.user.type(view.getTextbox(/^Zip plus 4/), '0009');
    expect(screen.queryByText(messages.ZIP_CODE_PLUS4_UNAVAILABLE)).toBeNull();
  });

  it('is not looked up when a patient is only opened', async () => {
    const view = await openPatientForm(
      { id: '5' },
      { 'GET /api/v2/patients/5': { ...maria, sameAsClientAddress: false, zipCodePlus4: null } },
    );
    await waitFor(() => expect(view.getTextbox(/^City/)).toHaveValue('CHICAGO'));
    await view.user.type(view.getTextbox(/^Bed/), 'b');
    expect(view.requests.some(({ path }) => path.endsWith('zip-code-extra'))).toBe(false);
  });
});

describe('By keyboard', () => {
  it('starts in the first field', async () => {
    const view = await openPatientForm();
    expect(view.getPicker(/^Client/)).toHaveFocus();
  });

  it('starts in the first empty field', async () => {
    const view = await openPatientForm(
      { lastName: 'Lopez' },
      { 'GET /api/v2/clients/remote-operations': page([{ ...lakeCare, unitsCount: 0 }]) },
      Role.CLIENT_BASIC,
    );
    expect(view.getTextbox(/^First Name/)).toHaveFocus();
  });

  it('leads through every field to the tabs', async () => {
    const view = await openPatientForm();
    const { user } = view;
    await user.keyboard('lake');
    await screen.findByRole('option', { name: 'LAKE CARE' });
    await user.keyboard('{ArrowDown}{Enter}{Tab}{Tab}');
    expect(view.getPicker(/^Unit/)).toHaveFocus();
    for (const name of [/^Room/, /^Bed/, /^Primary Physician/, /^Medical Record Id/]) {
      await user.tab();
      expect(document.activeElement).toHaveAccessibleName(name);
    }
    await user.tab();
    await user.keyboard('lopez{Tab}maria{Tab}inez{Tab}3/4/61{Tab}{Tab}');
    expect(document.activeElement).toHaveAccessibleName('Gender');
    await user.keyboard('{Tab}666121234{Tab}{Tab}{Tab}{Tab}{Tab}');
    expect(document.activeElement).toHaveAccessibleName('Same as Client');
    await user.keyboard('{Tab}1 lake st{Tab}60601{Tab}1200{Tab}');
    expect(view.getTextbox(/^Phone/)).toHaveFocus();
    await user.keyboard('3125550101{Tab}3125550102{Tab}m@home.org{Tab}');
    expect(screen.getByRole('tab', { name: /Insurance Information/ })).toHaveFocus();
    expect(view.getTextbox(/^Last Name/)).toHaveValue('LOPEZ');
    expect(view.getTextbox(/^Birth Date/)).toHaveValue('03/04/1961');
    expect(view.getTextbox(/^Social Security Number/)).toHaveValue('666-12-1234');
    expect(view.getTextbox(/^Mobile/)).toHaveValue('312-555-0102');
  });
});

describe('Saving', () => {
  it('registers the patient and returns with the id', async () => {
    const view = await openPatientForm(
      { redirectToPath: '/secured/requisitions/create' },
      { 'POST /api/v2/patients': maria },
    );
    await fillMaria(view);
    await view.save();
    expect(await screen.findByText(messages.PATIENT_SAVED)).toBeVisible();
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;patientId=5');
    expect(view.getLastWrite()?.body).toMatchObject({
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

  it('keeps a path with parameters unchanged, and never leaves the portal', async () => {
    const view = await openPatientForm(
      { id: '5', redirectToPath: '/secured/requisitions/create;id=9' },
      { 'PUT /api/v2/patients/5': { ...maria, version: 4 } },
    );
    await view.user.type(view.getTextbox(/^Bed/), 'b');
    await view.save();
    await waitFor(() =>
      expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;id=9'),
    );
    expect(view.getLastWrite()?.headers.get('If-Match')).toBe('"3"');
  });

  it('shows errors of the portal at their field', async () => {
    const view = await openPatientForm(
      { id: '5' },
      {
        'PUT /api/v2/patients/5': () =>
          problem(400, 'bad_input', messages.VALIDATION_ERROR, [
            { field: 'roomId', message: messages.ROOM_NOT_OF_CLIENT },
            { field: 'zipCodeName', message: messages.VALUE_INVALID },
          ]),
      },
    );
    await view.user.type(view.getTextbox(/^Bed/), 'b');
    await view.save();
    expect(await screen.findByText(messages.ROOM_NOT_OF_CLIENT)).toBeVisible();
    expect(view.getPicker(/^Room/)).toHaveAccessibleDescription(messages.ROOM_NOT_OF_CLIENT);
    expect(view.getTextbox(/^Zip Code/)).toHaveAccessibleDescription(messages.VALUE_INVALID);
    expect(view.getTextbox(/^Bed/)).toHaveValue('AB');
  });

  it('loses nothing when somebody else saved in the meantime', async () => {
    let version = 3;
    const stale = { status: 412, code: 'stale_version', updatedBy: 'Ada Tester', errors: [] };
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, version, bed: version > 3 ? 'C' : 'A' }),
        'PUT /api/v2/patients/5': () => Response.json(stale, { status: 412 }),
      },
    );
    await view.user.type(view.getTextbox(/^Middle Name/), 'inez');
    version = 4;
    await view.save();
    const banner = await screen.findByText(
      say(messages.VERSION_CONFLICT_BY, { name: 'Ada Tester' }),
    );
    const notice = banner.closest<HTMLElement>('[role=alert]') ?? document.body;
    expect(within(notice).getByText('Changed by Ada Tester and updated here: Bed.')).toBeVisible();
    expect(within(notice).getByText('Middle Name: INEZ')).toBeVisible();
    expect(view.getTextbox(/^Middle Name/)).toHaveValue('INEZ');
    expect(view.getTextbox(/^Bed/)).toHaveValue('C');
    await view.user.click(within(notice).getByRole('button', { name: /newer version/ }));
    expect(view.getTextbox(/^Middle Name/)).toHaveValue('');
    expect(view.getTextbox(/^Bed/)).toHaveValue('C');
  });

  it('keeps the list items that both added', async () => {
    const juan = {
      id: 41,
      order: 1,
      lastName: 'LOPEZ',
      firstName: 'JUAN',
      address: '1 OAK ST',
      country: null,
      state: 'IL',
      city: 'CHICAGO',
      zipCode: '60601',
      zipCodeExtra: '1200',
      phone: '312-555-0101',
      mobile: null,
      fax: null,
    };
    let theirs = {};
    let writes = 0;
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, ...theirs }),
        'PUT /api/v2/patients/5': () =>
          ++writes === 1
            ? problem(412, 'stale_version', messages.VERSION_STALE)
            : { ...maria, ...theirs, version: 5 },
        'GET /api/v2/medications/remote-operations': page([]),
      },
    );
    await view.user.click(screen.getByRole('tab', { name: /Medications/ }));
    await view.user.type(screen.getByRole('combobox', { name: /^Medication/ }), 'aspirin{Enter}');
    await screen.findByText('ASPIRIN');
    theirs = {
      version: 4,
      medications: [{ id: 1, name: 'WARFARIN' }],
      responsibleParties: [juan],
    };
    await view.save();
    expect(
      await screen.findByText(
        /updated here: (Medications, Responsible Party|Responsible Party, Medications)/,
      ),
    ).toBeVisible();
    expect(screen.getByText('Medications: added ASPIRIN')).toBeVisible();
    await view.save();
    await waitFor(() => expect(writes).toBe(2));
    expect(view.getLastWrite()?.body).toMatchObject({
      medications: [{ name: 'ASPIRIN' }, { name: 'WARFARIN' }],
      responsibleParties: [{ id: 41, lastName: 'LOPEZ' }],
    });
  });

  it('is disabled without permission to change the patient, and says why', async () => {
    const canChange = { allowed: false, reason: messages.FORBIDDEN };
    const view = await openPatientForm(
      { id: '5' },
      { 'GET /api/v2/patients/5': { ...maria, canChange } },
    );
    const save = screen.getByRole('button', { name: 'Save Patient' });
    expect(save).toBeDisabled();
    expect(save).toHaveAttribute('title', messages.FORBIDDEN);
    await view.user.type(view.getTextbox(/^Bed/), 'b{Enter}');
    expect(view.requests.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('lists fields that both changed with both values', async () => {
    let theirs = {};
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, ...theirs }),
        'PUT /api/v2/patients/5': () => problem(412, 'stale_version', messages.VERSION_STALE),
      },
    );
    for (const [name, typed] of [
      [/^Bed/, 'b'],
      [/^Phone/, '3125550199'],
      [/^Birth Date/, '03051961'],
    ] as const) {
      await view.user.clear(view.getTextbox(name));
      await view.user.type(view.getTextbox(name), typed);
    }
    theirs = { version: 4, bed: null, phone: '312-555-0177', birthDate: '1961-03-06' };
    await view.save();
    for (const line of [
      'Bed: none now, you entered B',
      'Phone: 312-555-0177 now, you entered 312-555-0199',
      'Birth Date: 03/06/1961 now, you entered 03/05/1961',
    ]) {
      expect(await screen.findByText(line)).toBeVisible();
    }
    expect(view.getTextbox(/^Bed/)).toHaveValue('B');
  });

  it('asks before unsaved changes are lost', async () => {
    const view = await openPatientForm({ redirectToPath: '/secured/requisitions/create' });
    await view.user.type(view.getTextbox(/^Last Name/), 'l');
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeInTheDocument();
    expect(view.router.state.location.pathname).toBe('/secured/patients/form');
  });
});
