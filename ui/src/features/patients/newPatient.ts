import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { PATIENT_FORM_PATH, type PatientSearch } from './api';

/**
 * Opens the form for a new patient, filled with what was searched for, and to return to this
 * place. All of it travels in history state: nothing about a person enters an address (O 4).
 */
export function useNewPatient(): (prefill: PatientSearch) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    ({ lastName, firstName, birthDate, ssn }: PatientSearch) => {
      const redirectToPath = pathname + search;
      const parameters = { lastName, firstName, dob: birthDate, ssn, redirectToPath };
      void navigate(PATIENT_FORM_PATH, { state: { parameters } });
    },
    [navigate, pathname, search],
  );
}
