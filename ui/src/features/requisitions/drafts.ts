import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';
import { textToHtml } from './comments';
import type { RequisitionValues } from './fields';
import { forgetStoredDraft, noteStoredDraft } from '../../api/storedDrafts';

/**
 * The format of `content`; drafts in another format are not offered. Format 1 had plain-text
 * comments, and neither insurance nor the tests of diagnoses.
 */
const FORMAT = 2;

type DraftValues = Omit<RequisitionValues, 'billing'> & Partial<Pick<RequisitionValues, 'billing'>>;

/** An unsaved requisition, stored by the portal for its author. */
export interface Draft {
  id: string;
  savedAt: string;
  /** All values of the form; fields newer than the draft are missing. */
  values: DraftValues;
  /** The version that the edits are based on; undefined for a new requisition. */
  version: number | undefined;
  /** The values in that version, without fields whose original value is unknown. */
  base: Partial<DraftValues>;
}

interface StoredDraft extends Omit<Wire<'DraftRead'>, 'content'> {
  /** The portal stores it unread. */
  content: {
    format?: number;
    values?: DraftValues;
    version?: number | null;
    /** The values of the changed fields in that version. */
    base?: Partial<DraftValues>;
    /**
     * The changed fields, stored by older forms instead of `base`; if missing, all count as
     * changed.
     */
    changed?: readonly string[];
  };
}

/** Returns the values of a stored draft in the current format, or null if that is not possible. */
function readValues({ format, values }: StoredDraft['content']): DraftValues | null {
  if (!values) return null;
  if (format === FORMAT) return values;
  if (format !== 1) return null;
  return {
    ...values,
    comments: textToHtml(values.comments),
    diagnoses: values.diagnoses.map((diagnosis) => ({ ...diagnosis, testId: null })),
  };
}

/** Returns the original values: unchanged fields have their current value, others are in `base`. */
function readBase(
  values: DraftValues,
  requisitionId: number | null,
  { version, base, changed }: StoredDraft['content'],
): Partial<DraftValues> {
  // The user typed without knowing the saved version, so the original values are unknown.
  if (requisitionId !== null && (version ?? null) === null) return {};
  if (base) return { ...values, ...base };
  const unchangedEntries = Object.entries(values).filter(
    ([name]) => changed?.includes(name) === false,
  );
  return Object.fromEntries(unchangedEntries);
}

const ROOT = '/api/v2/requisitions/drafts';

async function loadDrafts(requisitionId: number | null, signal?: AbortSignal): Promise<Draft[]> {
  const storedDrafts = await api.get<StoredDraft[]>(ROOT, { query: { requisitionId }, signal });
  return storedDrafts.flatMap(({ id, savedAt, content }) => {
    const values = readValues(content);
    if (values === null) return [];
    const version = content.version ?? undefined;
    return [{ id, savedAt, values, version, base: readBase(values, requisitionId, content) }];
  });
}

/** Loads one draft; null if it is gone. */
export const loadDraft = async (
  requisitionId: number | null,
  id: string,
  signal?: AbortSignal,
): Promise<Draft | null> =>
  (await loadDrafts(requisitionId, signal)).find((draft) => draft.id === id) ?? null;

/** The drafts of a requisition, or of new ones, that no open form uses; always loaded again. */
export const draftsQuery = (
  requisitionId: number | null,
  findDraftsInUse: () => Promise<ReadonlySet<string | undefined>>,
) =>
  queryOptions({
    queryKey: ['requisition-drafts', requisitionId],
    queryFn: async ({ signal }) => {
      const [drafts, inUse] = await Promise.all([
        loadDrafts(requisitionId, signal),
        findDraftsInUse(),
      ]);
      return drafts.filter(({ id }) => !inUse.has(id));
    },
    gcTime: 0,
    meta: { quiet: true },
  });

export async function saveDraft(
  id: string,
  requisitionId: number | null,
  values: RequisitionValues,
  version: number | undefined,
  base: Partial<RequisitionValues>,
): Promise<void> {
  const body = {
    requisitionId,
    patientId: values.patient?.id ?? null,
    content: { format: FORMAT, values, version: version ?? null, base },
  } satisfies Wire<'DraftWrite'>;
  await api.put(`${ROOT}/${id}`, { body });
  noteStoredDraft(id);
}

export async function deleteDraft(id: string): Promise<void> {
  await api.delete(`${ROOT}/${id}`);
  forgetStoredDraft(id);
}
