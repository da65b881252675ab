import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { maria, openPatientForm, type PatientFormView } from '../../../test/patientForm';
import { passTime } from '../../../test/timers';

const QUERY = 'POST /api/v2/patients/look-alikes';
const twin = {
  id: 77,
  code: 'P0000077',
  firstName: 'MARIA',
  middleName: null,
  lastName: 'LOPES',
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  clientName: 'HILL HOME',
  ssn: '***-**-1234',
  reasons: ['sameBirthDate', 'similarName'],
};

const listQueries = ({ requests }: PatientFormView) =>
  requests.filter(({ method, path }) => `${method} ${path}` === QUERY);

async function typeMaria(view: PatientFormView) {
  await view.user.type(view.getTextbox(/^Last Name/), 'lopez');
  await view.user.type(view.getTextbox(/^First Name/), 'maria');
  await view.user.type(view.getTextbox(/^Birth Date/), '03041961');
}

describe('Look-alike patients', () => {
  it('are shown with reasons while typing, and no personal data appears in an address', async () => {
    const view = await openPatientForm({}, { [QUERY]: [twin] });
    await typeMaria(view);
    expect(await screen.findByText(messages.LOOK_ALIKES_FOUND, { exact: false })).toBeVisible();
    expect(screen.getByText(/same birth date, similar name/)).toBeVisible();
    const lastQuery = listQueries(view).at(-1);
    expect(lastQuery?.query.toString()).toBe('');
    expect(lastQuery?.body).toEqual({
      lastName: 'LOPEZ',
      firstName: 'MARIA',
      birthDate: '1961-03-04',
      socialSecurityNumber: null,
      patientId: null,
    });
  });

  it('can be used instead of registering the patient again', async () => {
    const path = '/secured/requisitions/create';
    const view = await openPatientForm({ redirectToPath: path }, { [QUERY]: [twin] });
    await typeMaria(view);
    await view.user.click(await screen.findByRole('button', { name: 'Use this patient' }));
    await waitFor(() => expect(view.router.state.location.pathname).toBe(`${path};patientId=77`));
  });

  it('are not queried before there is enough to compare', async () => {
    const view = await openPatientForm({}, { [QUERY]: [twin] });
    await view.user.type(view.getTextbox(/^Last Name/), 'lopez');
    await view.user.type(view.getTextbox(/^First Name/), 'maria');
    await passTime(700);
    expect(listQueries(view)).toHaveLength(0);
  });

  it('are queried by only the SSN', async () => {
    const view = await openPatientForm({}, { [QUERY]: [] });
    await view.user.type(view.getTextbox(/^Social Security|^SSN/), '666121234');
    await waitFor(() => {
      expect(listQueries(view).at(-1)?.body).toMatchObject({ socialSecurityNumber: '666121234' });
    });
  });

  it('are shown for the values that a search has prefilled', async () => {
    await openPatientForm(
      { lastName: 'LOPEZ', firstName: 'MARIA', dob: '1961-03-04' },
      { [QUERY]: [twin] },
    );
    expect(await screen.findByText(messages.LOOK_ALIKES_FOUND, { exact: false })).toBeVisible();
  });

  it('are not queried while a saved patient is unchanged', async () => {
    const view = await openPatientForm({ id: '5' }, { [QUERY]: [twin] });
    await screen.findByDisplayValue(maria.lastName);
    await passTime(700);
    expect(listQueries(view)).toHaveLength(0);
  });
});

describe('The timeline', () => {
  const createEvent = (id: number, title: string, code: string | null = null) => ({
    id,
    kind: 'requisition',
    at: '2026-03-04T14:05:00+00:00',
    by: 'Ada Tester',
    title,
    detail: null,
    recordId: code === null ? null : 12,
    code,
  });

  it('shows events newest first, and loads earlier ones', async () => {
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5/timeline': ({ query }: { query: URLSearchParams }) => ({
          data:
            query.get('skip') === '0'
              ? [createEvent(2, 'Requisition created', 'R260000012')]
              : [createEvent(1, 'Registered')],
          totalCount: 2,
          totalIsCapped: false,
          next: null,
        }),
      },
    );
    await view.user.click(await screen.findByRole('button', { name: 'Timeline' }));
    const dialog = await screen.findByRole('dialog', { name: 'Timeline of LOPEZ, MARIA' });
    await view.user.click(await within(dialog).findByRole('button', { name: 'Show earlier' }));
    const items = await within(dialog).findAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringContaining('Requisition created'),
      expect.stringContaining('Registered'),
    ]);
    await view.user.click(within(dialog).getByRole('button', { name: 'R260000012' }));
    expect(view.device.windows).toEqual(['/secured/requisitions/create;id=12']);
  });
});
