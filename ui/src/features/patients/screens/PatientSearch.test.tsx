import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { mariaRow } from '../../../test/patientRows';
import { buildPage, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import PatientSearch from './PatientSearch';

const PATH = '/api/v2/patients/remote-operations';
const maria = { ...mariaRow, unit: 'EAST', room: '101', bed: 'A' };

async function openSearch(answers: Answers = {}) {
  const view = await renderPortal(<PatientSearch />, {
    user: buildProfile(),
    path: '/secured/patients/search',
    answers: {
      [`GET ${PATH}`]: buildPage([maria]),
      'GET /api/v2/patients/check-clients': true,
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
  });
  const getLastQuery = () => view.requests.filter(({ path }) => path === PATH).at(-1)?.query;
  const search = async () => {
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: 'P0000005' }, { timeout: 3000 });
  };
  const getAction = (name: string) =>
    within(screen.getByRole('toolbar', { name: 'Selected patients' })).getByRole('button', {
      name,
    });
  const select = () => view.user.click(screen.getByRole('checkbox', { name: /^Select [PR]\d/ }));
  return { ...view, getLastQuery, search, getAction, select };
}

describe('The patients screen', () => {
  it('clears the filter row with Clear, and the rows with the next search', async () => {
    const view = await openSearch();
    await view.search();
    const getBox = () => screen.getByRole('textbox', { name: 'Filter Last Name' });
    await view.user.type(getBox(), 'L{Enter}');
    await waitFor(() => expect(view.getLastQuery()?.get('column.lastName')).toBe('L'));
    await view.user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(getBox()).toHaveValue('');
    expect(screen.getByText(messages.SEARCH_OUTDATED)).toBeVisible();
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(view.getLastQuery()?.get('column.lastName')).toBeNull());
  });

  it('searches by name, birth date and SSN, none of which is required', async () => {
    const view = await openSearch();
    await view.user.type(screen.getByRole('textbox', { name: 'Last Name' }), 'lop');
    await view.user.type(screen.getByRole('textbox', { name: 'DOB' }), '03041961');
    await view.user.type(screen.getByRole('textbox', { name: 'SSN' }), '666121');
    expect(screen.getByText(messages.SSN_INVALID)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Search' })).toBeDisabled();
    await view.user.type(screen.getByRole('textbox', { name: 'SSN' }), '234');
    await view.search();
    // The rows may be those of the search that started by itself while the fields were filled in.
    await waitFor(
      () =>
        expect(Object.fromEntries(view.getLastQuery() ?? [])).toMatchObject({
          lastName: 'LOP',
          birthDate: '03/04/1961',
          ssn: '666121234',
          fromSearch: 'true',
        }),
      { timeout: 3000 },
    );
    expect(await screen.findByRole('gridcell', { name: 'LAKE CARE' })).toBeVisible();
    expect(view.router.state.location.search).toBe('');
  });

  it('opens the form of a patient', async () => {
    const view = await openSearch();
    await view.search();
    expect(screen.queryByRole('button', { name: 'Edit Patient' })).toBeNull();
    await view.select();
    await view.user.click(view.getAction('Edit Patient'));
    expect(view.router.state.location.pathname).toBe('/secured/patients/form;id=5');
  });

  it('shows the timeline of a patient', async () => {
    const view = await openSearch({
      'GET /api/v2/patients/5/timeline': { ...buildPage([]), next: null },
    });
    await view.search();
    await view.select();
    await view.user.click(view.getAction('Timeline'));
    expect(await screen.findByRole('dialog', { name: 'Timeline of LOPEZ, MARIA' })).toBeVisible();
  });

  it('starts a requisition for a patient', async () => {
    const view = await openSearch();
    await view.search();
    await view.select();
    await view.user.click(view.getAction('New Requisition'));
    await waitFor(() =>
      expect(view.device.windows).toEqual(['/secured/requisitions/create;patientId=5']),
    );
  });

  it('first asks for the place of a patient whose client has no web access', async () => {
    const view = await openSearch({
      [`GET ${PATH}`]: buildPage([{ ...maria, clientWebAccess: false }]),
    });
    await view.search();
    await view.select();
    await view.user.click(view.getAction('New Requisition'));
    expect(await screen.findByRole('dialog', { name: 'Update Patient' })).toBeVisible();
    expect(view.device.windows).toEqual([]);
  });

  it('registers a new patient with the searched values, after a search', async () => {
    const view = await openSearch();
    await view.user.type(screen.getByRole('textbox', { name: 'Last Name' }), 'lop');
    await view.search();
    await view.user.click(screen.getByRole('button', { name: 'New Patient' }));
    expect(view.router.state.location).toMatchObject({
      pathname: '/secured/patients/form',
      state: { parameters: { lastName: 'LOP' } },
    });
  });
});
