import { useState } from 'react';

import { describeError, usePermissions, useProfile } from '../../../api';
import { toasts } from '../../../components/toasts';
import { messages, Role } from '../../../contract';
import { belongsToClients, type PatientRow } from '../api';
import { useRecentPatients } from '../recents';

/** Removes the dates that the recent list adds to a patient. */
const removeDates = ({ recentDate, shouldBeDeletedDate, ...row }: PatientRow & Partial<Dates>) =>
  row;

/** A patient whose client, unit and room must be chosen first, and why. */
interface UnplacedPatient {
  row: PatientRow;
  reason: string;
}

interface Dates {
  recentDate: string;
  shouldBeDeletedDate: string;
}

/**
 * Handles the choice of a patient (O 4), who becomes a recent patient. If the client has no web
 * access or does not belong to the user, the patient's client, unit and room must be chosen first.
 * A search screen only filters by the patient.
 */
export function usePatientChoice(fromSearch: boolean, onChosen: (row: PatientRow) => void) {
  const { role, data } = useProfile();
  const { may } = usePermissions();
  const { recents, add } = useRecentPatients();
  const [patientToPlace, setPatientToPlace] = useState<UnplacedPatient | null>(null);
  const [isChecking, setIsChecking] = useState(false);

  /** Returns why the patient must be placed first, or null. */
  const checkPlace = async (row: PatientRow): Promise<string | null> => {
    if (fromSearch || !may('changePatient')) return null;
    if (!row.clientWebAccess) return messages.PATIENT_CLIENT_HAS_NO_WEB_ACCESS;
    const isClientUser = role === Role.CLIENT_ADMIN || role === Role.CLIENT_BASIC;
    const isOwn = !isClientUser || (await belongsToClients(row.id, data.clients));
    return isOwn ? null : messages.PATIENT_OF_OTHER_CLIENT;
  };

  const choose = async (patient: PatientRow): Promise<void> => {
    if (isChecking) return;
    const row = removeDates(patient);
    setIsChecking(true);
    try {
      const reason = await checkPlace(row);
      await add(row);
      if (reason === null) onChosen(row);
      else setPatientToPlace({ row, reason });
    } catch (error) {
      toasts.error(describeError(error));
    } finally {
      setIsChecking(false);
    }
  };

  return {
    recents,
    choose: (row: PatientRow) => void choose(row),
    isChecking,
    /** The patient whose client, unit and room must be chosen first. */
    patientToPlace,
    onPlaced: () => {
      if (patientToPlace !== null) onChosen(patientToPlace.row);
    },
    onPlaceCanceled: () => setPatientToPlace(null),
  };
}
