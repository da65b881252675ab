import { useState } from 'react';

import { describe, usePermissions, useProfile } from '../../../api';
import { useRecents } from '../../../components/recents/useRecents';
import { toasts } from '../../../components/toasts';
import { Role } from '../../../contract';
import { checkClients, type PatientRow } from '../api';

/** A recent patient without what the list keeps about it. */
const plain = ({ recentDate, shouldBeDeletedDate, ...row }: PatientRow & Partial<Dates>) => row;
interface Dates {
  recentDate: string;
  shouldBeDeletedDate: string;
}

/**
 * What happens when a patient is chosen (O 4): the patient joins the recent ones; where the
 * client has no web access, or is not one of the person's own, the patient's place is chosen
 * first. A search screen only filters by the patient and changes nothing.
 */
export function usePatientChoice(fromSearch: boolean, onChosen: (row: PatientRow) => void) {
  const { role, data } = useProfile();
  const { may } = usePermissions();
  const { recents, add } = useRecents<PatientRow>('recentPatients');
  const [unplaced, setUnplaced] = useState<PatientRow | null>(null);
  const [checking, setChecking] = useState(false);

  const isPlaced = async (row: PatientRow): Promise<boolean> => {
    if (fromSearch || !may('changePatient')) return true;
    if (!row.clientWebAccess) return false;
    const ofClients = role === Role.CLIENT_ADMIN || role === Role.CLIENT_BASIC;
    return !ofClients || (await checkClients(row.id, data.clients));
  };

  const choose = async (chosen: PatientRow): Promise<void> => {
    if (checking) return;
    const row = plain(chosen);
    setChecking(true);
    try {
      const placed = await isPlaced(row);
      await add(row);
      if (placed) onChosen(row);
      else setUnplaced(row);
    } catch (error) {
      toasts.error(describe(error));
    } finally {
      setChecking(false);
    }
  };

  return {
    recents,
    choose: (row: PatientRow) => void choose(row),
    checking,
    /** The patient whose client and physician are to be chosen first. */
    unplaced,
    onPlaced: () => {
      if (unplaced !== null) onChosen(unplaced);
    },
    onPlaceCanceled: () => setUnplaced(null),
  };
}
