import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages, Role } from '../../../contract';
import { mariaRow } from '../../../test/patientRows';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { passTime } from '../../../test/timers';
import { SearchPatientDialog, type SearchPatientDialogProps } from './SearchPatientDialog';

const LIST = 'GET /api/v2/patients/remote-operations';

const CHECK = 'GET /api/v2/patients/check-clients';
const storageKey = { 'GET /auth/storage-key': { key: btoa('k'.repeat(32)) } };

async function openDialog(
  props: Partial<SearchPatientDialogProps> = {},
  role: Role = Role.CLIENT_BASIC,
  answers: Answers = {},
) {
  const onClose = vi.fn();
  const onSelect = vi.fn();
  const portal = await renderPortal(
    <SearchPatientDialog isOpen onClose={onClose} onSelect={onSelect} {...props} />,
    {
      user: buildProfile(role),
      answers: { [LIST]: buildPage([mariaRow]), [CHECK]: true, ...storageKey, ...answers },
      path: '/secured/requisitions/create;id=9',
    },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Search Patient' });
  const getButton = (name: string) => within(dialog).getByRole('button', { name });
  const getTextbox = (name: RegExp) => within(dialog).getByRole('textbox', { name });
  const listSearches = () =>
    portal.requests.filter((request) => `${request.method} ${request.path}` === LIST);
  return {
    ...portal,
    dialog,
    getButton,
    getTextbox,
    listSearches,
    onClose,
    onSelect,
  };
}

type DialogView = Awaited<ReturnType<typeof openDialog>>;

async function searchMaria({ user, getTextbox: field, getButton: button }: DialogView) {
  await user.type(field(/^Last Name/), 'lopez');
  await user.type(field(/^First Name/), 'maria');
  await user.click(button('Search'));
}

describe('Searching', () => {
  it('waits for both names and says which is missing', async () => {
    const view = await openDialog();
    expect(view.getButton('Search')).toBeDisabled();
    await view.user.type(view.getTextbox(/^Last Name/), 'lopez{Enter}');
    expect(await screen.findByText(messages.SEARCH_FIRST_NAME_REQUIRED)).toBeVisible();
    expect(view.getTextbox(/^First Name/)).toHaveFocus();
    expect(view.listSearches()).toHaveLength(0);

    await view.user.type(view.getTextbox(/^First Name/), 'maria');
    await waitFor(() => expect(view.getButton('Search')).toBeEnabled());
    await view.user.clear(view.getTextbox(/^Last Name/));
    expect(await screen.findByText(messages.SEARCH_LAST_NAME_REQUIRED)).toBeVisible();
  });

  it('sends upper case, MM/DD/YYYY and the digits of the SSN', async () => {
    const view = await openDialog();
    await view.user.type(view.getTextbox(/^DOB/), '03041961');
    await view.user.type(view.getTextbox(/^SSN/), '666121234');
    await searchMaria(view);
    await screen.findByRole('gridcell', { name: 'P0000005' });
    expect(Object.fromEntries(view.listSearches()[0]?.query ?? [])).toMatchObject({
      lastName: 'LOPEZ',
      firstName: 'MARIA',
      birthDate: '03/04/1961',
      ssn: '666121234',
      fromSearch: 'false',
    });
  });

  it('rejects a birth date before 1900 and an incomplete SSN', async () => {
    const view = await openDialog();
    await view.user.type(view.getTextbox(/^DOB/), '12311899');
    await view.user.type(view.getTextbox(/^SSN/), '66612');
    await searchMaria(view);
    expect(await screen.findByText(messages.BIRTH_DATE_OUT_OF_RANGE)).toBeVisible();
    expect(await screen.findByText(messages.SSN_INVALID)).toBeVisible();
    expect(view.getButton('Search')).toBeDisabled();
    expect(view.listSearches()).toHaveLength(0);
  });

  it('requires no name on a search screen', async () => {
    const view = await openDialog({ fromSearch: true });
    await view.user.click(view.getButton('Search'));
    await screen.findByRole('gridcell', { name: 'P0000005' });
    expect(view.listSearches()[0]?.query.get('fromSearch')).toBe('true');
  });

  it('focuses the last name a second after opening', async () => {
    const view = await openDialog();
    await waitFor(() => expect(view.getTextbox(/^Last Name/)).toHaveFocus(), { timeout: 2000 });
  });
});

describe('Choosing', () => {
  it('leaves the focus in the results instead of moving it to the last name', async () => {
    const view = await openDialog();
    await searchMaria(view);
    await screen.findByRole('gridcell', { name: 'P0000005' });
    view.getTextbox(/^First Name/).focus();
    await view.user.keyboard('{ArrowDown}');
    const focusedCell = document.activeElement;
    await passTime(limits.PATIENT_SEARCH_FOCUS_MS);
    expect(focusedCell).toHaveFocus();
    expect(view.getTextbox(/^Last Name/)).not.toHaveFocus();
  });

  it('selects a row by keyboard, down from the fields', async () => {
    const view = await openDialog();
    await searchMaria(view);
    await screen.findByRole('gridcell', { name: 'P0000005' });
    await view.user.click(view.getTextbox(/^First Name/));
    await view.user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(mariaRow));
    expect(view.onClose.mock.invocationCallOrder[0]).toBeLessThan(
      view.onSelect.mock.invocationCallOrder[0] ?? 0,
    );
  });

  it('starts fresh after Clear', async () => {
    const view = await openDialog();
    await searchMaria(view);
    await screen.findByRole('gridcell', { name: 'P0000005' });
    await view.user.click(view.getTextbox(/^First Name/));
    await view.user.click(view.getButton('Clear'));
    expect(view.getTextbox(/^Last Name/)).toHaveValue('');
    expect(view.getTextbox(/^Last Name/)).toHaveFocus();
    expect(screen.queryByRole('gridcell', { name: 'P0000005' })).toBeNull();
    expect(screen.getByText('Search to see patients')).toBeVisible();
    expect(view.getButton('New Patient')).toBeDisabled();
    await passTime(limits.PATIENT_SEARCH_FOCUS_MS);
    expect(screen.queryByText(messages.SEARCH_FIRST_NAME_REQUIRED)).toBeNull();
    expect(screen.queryByText(messages.SEARCH_LAST_NAME_REQUIRED)).toBeNull();
  });
});

describe('New Patient', () => {
  it('is offered only after a search, and passes its values in history state', async () => {
    const view = await openDialog();
    expect(screen.getByText(messages.SEARCH_BEFORE_NEW_PATIENT)).toBeVisible();
    expect(view.getButton('New Patient')).toBeDisabled();
    await view.user.type(view.getTextbox(/^DOB/), '03041961');
    await searchMaria(view);
    await waitFor(() => expect(view.getButton('New Patient')).toBeEnabled());
    await view.user.click(view.getButton('New Patient'));

    const { location } = view.router.state;
    expect(location.pathname + location.search).toBe('/secured/patients/form');
    expect(location.state).toEqual({
      parameters: {
        lastName: 'LOPEZ',
        firstName: 'MARIA',
        dob: '1961-03-04',
        ssn: '',
        redirectToPath: '/secured/requisitions/create;id=9',
      },
    });
    expect(view.onClose).toHaveBeenCalled();
  });

  it('asks before unsaved edits on the page behind it are lost', async () => {
    const onNewPatient = vi.fn();
    const view = await openDialog({ isDirty: true, onNewPatient });
    await searchMaria(view);
    await waitFor(() => expect(view.getButton('New Patient')).toBeEnabled());
    await view.user.click(view.getButton('New Patient'));
    const question = await screen.findByRole('dialog', { name: messages.LOSE_CHANGES_TITLE });
    expect(within(question).getByText(messages.LOSE_CHANGES)).toBeInTheDocument();
    expect(onNewPatient).not.toHaveBeenCalled();
    await view.user.click(within(question).getByRole('button', { name: 'Yes' }));
    expect(onNewPatient).toHaveBeenCalledWith(
      expect.objectContaining({ lastName: 'LOPEZ', firstName: 'MARIA' }),
    );
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;id=9');
  });

  it.each([Role.PHYSICIAN, Role.PATIENT])('is hidden for a %s', async (role) => {
    await openDialog({}, role);
    expect(screen.queryByRole('button', { name: 'New Patient' })).toBeNull();
    expect(screen.queryByText(messages.SEARCH_BEFORE_NEW_PATIENT)).toBeNull();
  });
});

describe('Choosing client, unit and room of the selected patient', () => {
  const selectMaria = async (view: DialogView) => {
    await searchMaria(view);
    await view.user.click(await screen.findByRole('gridcell', { name: 'P0000005' }));
  };
  const update = { name: 'Update Patient' };
  const placedMaria = {
    ...mariaRow,
    version: 4,
    client: { id: 1, name: 'LAKE CARE' },
    unit: null,
    room: null,
    bed: 'A',
    primaryPhysician: null,
    sameAsClientAddress: false,
    ethnicity: null,
    insuranceInformation: [],
    responsibleParties: [],
    diagnoses: [],
    medications: [],
  };
  const placeAnswers = {
    'GET /api/v2/patients/5': placedMaria,
    'GET /api/v2/clients/remote-operations': buildPage([
      { id: 1, code: 'C1', name: 'LAKE CARE', webAccess: true, unitsCount: 0 },
    ]),
  };

  it('checks for client users whether the patient belongs to their clients', async () => {
    const view = await openDialog();
    await selectMaria(view);
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(mariaRow));
    const check = view.requests.find(({ path }) => path.endsWith('/check-clients'));
    expect(check?.query.get('patientId')).toBe('5');
    expect(check?.query.getAll('clientIds')).toEqual(['1']);
  });

  it('opens Update Patient for a patient of another client, and continues after saving', async () => {
    const view = await openDialog({}, Role.CLIENT_BASIC, {
      [CHECK]: false,
      ...placeAnswers,
      'PUT /api/v2/patients/client-physician': { ...placedMaria, version: 5 },
    });
    await selectMaria(view);
    const dialog = await screen.findByRole('dialog', update);
    expect(view.onSelect).not.toHaveBeenCalled();
    expect(within(dialog).getByText(messages.PATIENT_OF_OTHER_CLIENT)).toBeVisible();
    expect(await within(dialog).findByRole('combobox', { name: /^Client/ })).toHaveValue(
      'LAKE CARE',
    );
    await view.user.type(within(dialog).getByRole('textbox', { name: 'Bed' }), 'b');
    await view.user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(mariaRow));
    const write = view.requests.find(({ method }) => method === 'PUT');
    expect(write?.headers.get('If-Match')).toBe('"4"');
    expect(write?.body).toMatchObject({ id: 5, clientId: 1, unitId: null, bed: 'AB' });
  });

  it('tells the user to ask the lab about a patient they cannot change', async () => {
    const view = await openDialog({}, Role.CLIENT_BASIC, { [CHECK]: false });
    await selectMaria(view);
    const dialog = await screen.findByRole('dialog', update);
    expect(await within(dialog).findByText(messages.PATIENT_ASK_LAB)).toBeVisible();
    const [close] = within(dialog).getAllByRole('button', { name: 'Close' });
    if (close === undefined) throw new Error('the dialog cannot be closed');
    await view.user.click(close);
    expect(await screen.findByRole('dialog', { name: 'Search Patient' })).toBeVisible();
    expect(view.onSelect).not.toHaveBeenCalled();
  });

  it('keeps the edits when somebody else saved first', async () => {
    let attempts = 0;
    const view = await openDialog({}, Role.CLIENT_BASIC, {
      [CHECK]: false,
      ...placeAnswers,
      'PUT /api/v2/patients/client-physician': () => {
        attempts += 1;
        return attempts === 1
          ? buildProblem(412, 'stale', 'stale')
          : { ...placedMaria, version: 9 };
      },
    });
    await selectMaria(view);
    const dialog = await screen.findByRole('dialog', update);
    await view.user.type(await within(dialog).findByRole('textbox', { name: 'Bed' }), 'x');
    await view.user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText(messages.VERSION_CONFLICT)).toBeVisible();
    expect(within(dialog).getByRole('textbox', { name: 'Bed' })).toHaveValue('AX');
    await view.user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.onSelect).toHaveBeenCalled());
  });

  it('shows errors of the portal at their field', async () => {
    const rejection = buildProblem(400, 'bad_input', messages.NOT_FOUND, [
      { field: 'physicianId', message: messages.NOT_FOUND },
    ]);
    const view = await openDialog({}, Role.CLIENT_BASIC, {
      [CHECK]: false,
      ...placeAnswers,
      'PUT /api/v2/patients/client-physician': rejection,
    });
    await selectMaria(view);
    const dialog = await screen.findByRole('dialog', update);
    await view.user.type(await within(dialog).findByRole('textbox', { name: 'Bed' }), 'x');
    await view.user.click(within(dialog).getByRole('button', { name: 'Save' }));
    const physician = within(dialog).getByRole('combobox', { name: /^Primary Physician/ });
    await waitFor(() => expect(physician).toHaveAccessibleDescription(messages.NOT_FOUND));
  });

  it('repeats a save without an answer unchanged', async () => {
    let attempts = 0;
    const view = await openDialog({}, Role.CLIENT_BASIC, {
      [CHECK]: false,
      ...placeAnswers,
      'PUT /api/v2/patients/client-physician': () => {
        attempts += 1;
        if (attempts === 1) throw new TypeError('Failed to fetch');
        return { ...placedMaria, bed: 'AX', version: 5 };
      },
    });
    await selectMaria(view);
    const dialog = await screen.findByRole('dialog', update);
    await view.user.type(await within(dialog).findByRole('textbox', { name: 'Bed' }), 'x');
    await view.user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText(messages.NO_CONNECTION)).toBeVisible();
    await view.user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.onSelect).toHaveBeenCalled());
    const [first, second] = view.requests.filter(({ method }) => method === 'PUT');
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
  });

  it('opens Update Patient for a client without web access, whatever the role', async () => {
    const view = await openDialog({}, Role.SUPERUSER, {
      [LIST]: buildPage([{ ...mariaRow, clientWebAccess: false }]),
      ...placeAnswers,
    });
    await selectMaria(view);
    const dialog = await screen.findByRole('dialog', update);
    expect(within(dialog).getByText(messages.PATIENT_CLIENT_HAS_NO_WEB_ACCESS)).toBeVisible();
    expect(view.requests.some(({ path }) => path.endsWith('/check-clients'))).toBe(false);
  });

  it.each([Role.PHYSICIAN, Role.SUPERUSER])('does not check for a %s', async (role) => {
    const view = await openDialog({}, role, { [CHECK]: false });
    await selectMaria(view);
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(mariaRow));
  });

  it('needs no client, unit or room on a search screen', async () => {
    const view = await openDialog({ fromSearch: true }, Role.CLIENT_ADMIN, { [CHECK]: false });
    await selectMaria(view);
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledWith(mariaRow));
  });
});

describe('Recent patients', () => {
  it('are offered next time, newest first, and stored only encrypted', async () => {
    const view = await openDialog();
    expect(screen.queryByRole('button', { name: 'Recent Patients' })).toBeNull();
    await searchMaria(view);
    await view.user.click(await screen.findByRole('gridcell', { name: 'P0000005' }));
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledTimes(1));
    expect(JSON.stringify(view.device.preferences.get('recentPatients'))).not.toContain('LOPEZ');

    await view.user.click(await screen.findByRole('button', { name: 'Recent Patients' }));
    const list = await screen.findByRole('table', { name: 'Recent Patients' });
    expect(within(list).getByText('LOPEZ')).toBeVisible();
    await view.user.click(within(list).getByRole('button', { name: 'P0000005' }));
    await waitFor(() => expect(view.onSelect).toHaveBeenCalledTimes(2));
    expect(view.onSelect).toHaveBeenLastCalledWith(mariaRow);
  });
});
