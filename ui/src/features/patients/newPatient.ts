import { paths } from '../../lib/paths';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { type PatientSearch } from './api';

/**
 * Returns a function that opens the form for a new patient, filled with the search criteria. After
 * a save, the form returns to the current address or `returnTo`; only a path without parameters
 * gets the new patient's id (O 2.1). All values travel in history state, to keep personal data out
 * of addresses (O 4).
 */
export function useNewPatient(returnTo?: string): (prefill: PatientSearch) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    ({ lastName, firstName, birthDate, ssn }: PatientSearch) => {
      const redirectToPath = returnTo ?? pathname + search;
      const parameters = { lastName, firstName, dob: birthDate, ssn, redirectToPath };
      void navigate(paths.patientForm, { state: { parameters } });
    },
    [navigate, pathname, returnTo, search],
  );
}
