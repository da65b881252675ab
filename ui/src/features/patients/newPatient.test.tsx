import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../test/render';
import { useNewPatient } from './newPatient';

const search = { lastName: 'LOPEZ', firstName: 'MARIA', birthDate: '1961-03-04', ssn: '666121234' };

function Opener() {
  const open = useNewPatient();
  return <button onClick={() => open(search)}>New Patient</button>;
}

describe('Opening the form for a new patient', () => {
  it.each([
    '/secured/requisitions/create',
    '/secured/requisitions/create;id=9',
    '/secured/requisitions/create?id=9',
  ])('returns to %s, with no personal data in the address', async (path) => {
    const { user, router } = await renderPortal(<Opener />, { path });
    await user.click(screen.getByRole('button'));
    const { location } = router.state;
    expect(location.pathname + location.search).toBe('/secured/patients/form');
    expect(location.state).toEqual({
      parameters: {
        lastName: 'LOPEZ',
        firstName: 'MARIA',
        dob: '1961-03-04',
        ssn: '666121234',
        redirectToPath: path,
      },
    });
  });
});
