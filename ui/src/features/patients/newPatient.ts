import { paths } from '../../lib/paths';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { type PatientSearch } from './api';

/**
 * Opens the form for a new patient, filled with what was searched for, and to return to this
 * place or to `returnTo`: only a path without parameters is given the new patient's id (O 2.1).
 * All of it travels in history state: nothing about a person enters an address (O 4).
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
