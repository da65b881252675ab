import { useEffect } from 'react';

import { useRecents } from '../../components/recents/useRecents';
import type { Requisition } from './api';

/** A requisition in the recent list (O 3). */
export interface RecentRequisition {
  id: number;
  codeValue: string;
  firstName: string;
  lastName: string;
  birthDate: string | null;
  clientName: string;
  tests: string[];
  /** Missing in entries of earlier versions. */
  testCodes?: string[];
}

export const toRecentRequisition = (requisition: Requisition): RecentRequisition => ({
  id: requisition.id,
  codeValue: requisition.code,
  firstName: requisition.patient.firstName,
  lastName: requisition.patient.lastName,
  birthDate: requisition.patient.birthDate,
  clientName: requisition.patient.client?.name ?? '',
  tests: requisition.tests.map(({ test }) => test.name),
  testCodes: requisition.tests.map(({ test }) => test.code),
});

/** Adds an opened or newly saved requisition to the user's recent ones (O 9). */
export function useAddToRecents(requisition: Requisition | null): void {
  const { add } = useRecents<RecentRequisition>('recentRequisitions');
  useEffect(() => {
    // Adding a listed requisition changes nothing, so later versions do not matter.
    if (requisition !== null) add(toRecentRequisition(requisition)).catch(() => undefined);
  }, [requisition, add]);
}
