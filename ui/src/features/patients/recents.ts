import { useEffect } from 'react';

import { useRecents } from '../../components/recents/useRecents';
import type { PatientRecord, PatientRow } from './api';

const SSN_SHOWN_DIGITS = 4;

/** The patients that this user recently worked with (O 3, O 9). */
export const useRecentPatients = () => useRecents<PatientRow>('recentPatients');

/** The row of a search that finds this patient. */
const toRow = (patient: PatientRecord): PatientRow => ({
  id: patient.id,
  code: patient.code,
  firstName: patient.firstName,
  middleName: patient.middleName,
  lastName: patient.lastName,
  birthDate: patient.birthDate,
  gender: patient.gender,
  ssn: patient.socialSecurityNumber
    ? `***-**-${patient.socialSecurityNumber.slice(-SSN_SHOWN_DIGITS)}`
    : null,
  clientId: patient.clientId,
  clientName: patient.client?.name ?? '',
  clientWebAccess: patient.client?.webAccess ?? false,
  unit: patient.unit?.name ?? null,
  room: patient.room?.name ?? null,
  bed: patient.bed,
});

/** Adds a patient named by an address to the recent patients, as if chosen in a search. */
export function useAddToRecentPatients(patient: PatientRecord | null): void {
  const { add } = useRecentPatients();
  useEffect(() => {
    if (patient !== null) add(toRow(patient)).catch(() => undefined);
  }, [patient, add]);
}
