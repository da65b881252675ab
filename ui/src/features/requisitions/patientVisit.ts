/** Visits to the patient's form from a requisition, whose edits are kept (ADR 10). */
import { queryOptions } from '@tanstack/react-query';

import { ApiError } from '../../api';
import { loadPatient } from '../patients/api';
import type { RequisitionPatient } from './api';
import { loadDraft, type Draft } from './drafts';

/** A visit of the patient's form, remembered in the history entry of the requisition. */
export interface PatientVisit {
  patientId: number;
  /** The draft that holds the edits; null without any. */
  draftId: string | null;
}

/** The name of the visit in the memory of a history entry. */
export const PATIENT_VISIT = 'patient-visit';

/** What the requisition form starts with after the visit. */
export interface PatientReturn {
  /** The patient as changed; null if no longer accessible. */
  patient: RequisitionPatient | null;
  draft: Draft | null;
}

const NOT_FOUND = 404;

async function loadVisited(id: number, signal: AbortSignal): Promise<RequisitionPatient | null> {
  try {
    return await loadPatient(id, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return null;
    throw error;
  }
}

/** The visited patient and the stored edits, loaded once. */
export const patientReturnQuery = (requisitionId: number | null, visit: PatientVisit) =>
  queryOptions({
    queryKey: ['patient-return', requisitionId, visit],
    queryFn: async ({ signal }): Promise<PatientReturn> => {
      const [patient, draft] = await Promise.all([
        loadVisited(visit.patientId, signal),
        visit.draftId === null ? null : loadDraft(requisitionId, visit.draftId, signal),
      ]);
      return { patient, draft };
    },
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  });
