import { api } from '../../api';
import type { RequisitionValues } from './form';

/** The shape of `content`; a draft of another shape is not offered. */
const FORMAT = 1;

/** Unsaved work on a requisition, as the portal keeps it for its writer. */
export interface Draft {
  id: string;
  savedAt: string;
  values: RequisitionValues;
  /** The version of the requisition that was being changed. */
  version: number | undefined;
}

interface KeptDraft {
  id: string;
  savedAt: string;
  content: { format?: number; values?: RequisitionValues; version?: number | null };
}

const ROOT = '/api/v2/requisitions/drafts';

export async function loadDrafts(
  requisitionId: number | null,
  signal?: AbortSignal,
): Promise<Draft[]> {
  const kept = await api.get<KeptDraft[]>(ROOT, { query: { requisitionId }, signal });
  return kept.flatMap(({ id, savedAt, content }) =>
    content.format === FORMAT && content.values
      ? [{ id, savedAt, values: content.values, version: content.version ?? undefined }]
      : [],
  );
}

export function keepDraft(
  id: string,
  requisitionId: number | null,
  values: RequisitionValues,
  version: number | undefined,
): Promise<unknown> {
  const body = {
    requisitionId,
    patientId: values.patient?.id ?? null,
    content: { format: FORMAT, values, version: version ?? null },
  };
  return api.put(`${ROOT}/${id}`, { body });
}

export const dropDraft = (id: string): Promise<unknown> => api.delete(`${ROOT}/${id}`);
