import { screen, waitFor } from '@testing-library/react';
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
import { buildPage, buildProblem } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import PatientForm from './PatientForm';

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

  it('says how many digits a zip code has', async () => {
    const view = await openPatientForm();
    await view.user.type(view.getTextbox(/^Zip Code/), '123');
    await view.user.tab();
    expect(await screen.findByText(messages.ZIP_CODE_INVALID)).toBeVisible();
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
    // The number is in no URL, because proxies log URLs.
    expect(checkRequest?.query.size).toBe(0);
    expect(checkRequest?.body).toEqual({ ssn: '666129999', patientId: 5 });
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
          buildPage(request.query.get('column.id') === '11' ? [east] : [east, west]),
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
    const sameAsClient = screen.getByRole('checkbox', { name: 'Same as Client' });
    expect(sameAsClient).toBeDisabled();
    await view.choose(/^Client/, 'LAKE CARE');
    await view.user.click(sameAsClient);
    expect(view.getTextbox(/^Address/)).toHaveValue('12 LAKE ST');
    expect(view.getTextbox(/^Zip Code/)).toHaveValue('60601');
    expect(view.getTextbox(/^Zip plus 4/)).toHaveValue('1200');
    await waitFor(() => expect(view.getTextbox(/^City/)).toHaveValue('CHICAGO'));
    expect(view.getTextbox(/^State/)).toHaveValue('IL');
    expect(view.getTextbox(/^City/)).toHaveAttribute('readonly');
    await view.user.click(sameAsClient);
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
        'GET /api/v2/clients/remote-operations': buildPage([oneUnit]),
        'GET /api/v2/clients/1/units/remote-operations': buildPage([east]),
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
      { 'GET /api/v2/clients/remote-operations': buildPage([lakeCare]) },
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
      { [SERVICE]: () => buildProblem(503, 'address_service_failed', messages.UNAVAILABLE) },
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
      { 'GET /api/v2/clients/remote-operations': buildPage([{ ...lakeCare, unitsCount: 0 }]) },
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

describe('A mangled id in the address', () => {
  it('names no record, and the portal is not asked', async () => {
    const { requests } = await renderPortal(<PatientForm />, { parameters: { id: 'abc' } });
    expect(await screen.findByText(messages.NOT_FOUND)).toBeVisible();
    expect(requests.filter(({ path }) => path.includes('/patients/'))).toEqual([]);
  });
});
