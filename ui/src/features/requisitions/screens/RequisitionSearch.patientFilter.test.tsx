import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { Role } from '../../../contract';
import { mariaRow } from '../../../test/patientRows';
import { buildPage } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import RequisitionSearch from './RequisitionSearch';

const maria = { ...mariaRow, clientWebAccess: false };

const openSearch = (role: Role, parameters: Record<string, string> = {}) =>
  renderPortal(<RequisitionSearch />, {
    user: buildProfile(role),
    parameters,
    answers: {
      'GET /api/v2/patients/5': maria,
      'GET /api/v2/requisitions/remote-operations': buildPage([]),
      'GET /api/v2/patients/remote-operations': buildPage([maria]),
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
    },
  });

describe('The patient of a search screen', () => {
  it('is the patient of the address, such as one just registered', async () => {
    const { requests } = await openSearch(Role.CLIENT_BASIC, { patientId: '5' });
    expect(await screen.findByRole('button', { name: 'Patient LOPEZ, MARIA' })).toBeVisible();
    await waitFor(() =>
      expect(
        requests
          .filter(({ path }) => path.includes('requisitions/remote'))
          .at(-1)
          ?.query.get('patient'),
      ).toBe('5'),
    );
  });

  it.each([Role.CLIENT_BASIC, Role.PHYSICIAN])(
    'is found by birth date and SSN, without a name, by %s',
    async (role) => {
      const { user, requests } = await openSearch(role);
      await user.click(screen.getByRole('button', { name: 'Patient Any' }));
      await user.click(screen.getByRole('button', { name: 'Advanced' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
      await user.type(dialog.getByRole('textbox', { name: 'DOB' }), '03041961');
      await user.type(dialog.getByRole('textbox', { name: 'SSN' }), '666121234');
      await user.click(dialog.getByRole('button', { name: 'Search' }));
      await user.click(await dialog.findByRole('gridcell', { name: 'P0000005' }));
      // The client without web access does not matter: the patient is only a filter.
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(screen.getByRole('button', { name: 'Patient LOPEZ, MARIA' })).toBeVisible();
      const search = requests.find(({ path }) => path === '/api/v2/patients/remote-operations');
      expect(Object.fromEntries(search?.query ?? [])).toMatchObject({
        birthDate: '03/04/1961',
        ssn: '666121234',
        fromSearch: 'true',
      });
      await user.click(screen.getByRole('button', { name: 'Search' }));
      await waitFor(
        () =>
          expect(
            requests
              .filter(({ path }) => path.includes('requisitions/remote'))
              .at(-1)
              ?.query.get('patient'),
          ).toBe('5'),
        { timeout: 3000 },
      );
    },
  );
});
