import { useEffect } from 'react';

import { useRecents } from '../../components/recents/useRecents';
import type { Requisition } from './api';

/** A requisition as the recent list keeps it (O 3). */
export interface RecentRequisition {
  id: number;
  codeValue: string;
  firstName: string;
  lastName: string;
  birthDate: string;
  clientName: string;
  tests: string[];
}

export const recentOf = (requisition: Requisition): RecentRequisition => ({
  id: requisition.id,
  codeValue: requisition.code,
  firstName: requisition.patient.firstName,
  lastName: requisition.patient.lastName,
  birthDate: requisition.patient.birthDate,
  clientName: requisition.patient.client?.name ?? '',
  tests: requisition.tests.map(({ test }) => test.name),
});

/** Keeps an opened or newly saved requisition among this person's recent ones (O 9). */
export function useKeepRecent(requisition: Requisition | null): void {
  const { add } = useRecents<RecentRequisition>('recentRequisitions');
  useEffect(() => {
    // One that is listed already is not added again, so later versions change nothing.
    if (requisition !== null) add(recentOf(requisition)).catch(() => undefined);
  }, [requisition, add]);
}
