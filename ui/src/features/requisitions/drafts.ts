import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import { richOfText } from './comments';
import type { RequisitionValues } from './fields';
import { draftIsDropped, draftIsKept } from '../../api/keptDrafts';

/**
 * The shape of `content`; a draft of another shape is not offered. In format 1 comments were plain
 * words, and neither insurance nor the tests of diagnoses were part of the form.
 */
const FORMAT = 2;

type DraftValues = Omit<RequisitionValues, 'billing'> & Partial<Pick<RequisitionValues, 'billing'>>;

/** Unsaved work on a requisition, as the portal keeps it for its writer. */
export interface Draft {
  id: string;
  savedAt: string;
  /** All that the form held; what an older form did not hold is not there. */
  values: DraftValues;
  /** The version of the requisition that was being changed; none of a new one. */
  version: number | undefined;
  /** The fields in that version, but for those of which the draft does not say what they were. */
  base: Partial<DraftValues>;
}

interface KeptDraft {
  id: string;
  savedAt: string;
  content: {
    format?: number;
    values?: DraftValues;
    version?: number | null;
    /** What the changed fields were in that version. */
    base?: Partial<DraftValues>;
    /** Of an older form, which kept no base: the changed fields; all where it says nothing. */
    changed?: readonly string[];
  };
}

/** The values of a kept draft as this form holds them; null when nobody can read them. */
function valuesOf({ format, values }: KeptDraft['content']): DraftValues | null {
  if (!values) return null;
  if (format === FORMAT) return values;
  if (format !== 1) return null;
  return {
    ...values,
    comments: richOfText(values.comments),
    diagnoses: values.diagnoses.map((diagnosis) => ({ ...diagnosis, testId: null })),
  };
}

/** What nobody changed is as it was; what was changed is kept beside it. */
function baseOf(
  values: DraftValues,
  requisitionId: number | null,
  { version, base, changed }: KeptDraft['content'],
): Partial<DraftValues> {
  // Typed while nobody knew that it was saved: in which state, it does not say.
  if (requisitionId !== null && (version ?? null) === null) return {};
  if (base) return { ...values, ...base };
  const unchanged = Object.entries(values).filter(([name]) => changed?.includes(name) === false);
  return Object.fromEntries(unchanged);
}

const ROOT = '/api/v2/requisitions/drafts';

async function loadDrafts(requisitionId: number | null, signal?: AbortSignal): Promise<Draft[]> {
  const kept = await api.get<KeptDraft[]>(ROOT, { query: { requisitionId }, signal });
  return kept.flatMap(({ id, savedAt, content }) => {
    const values = valuesOf(content);
    if (values === null) return [];
    const version = content.version ?? undefined;
    return [{ id, savedAt, values, version, base: baseOf(values, requisitionId, content) }];
  });
}

/** The drafts of a requisition, or of new ones, that no open form works on; read anew each time. */
export const draftsQuery = (
  requisitionId: number | null,
  draftsInUse: () => Promise<ReadonlySet<string | undefined>>,
) =>
  queryOptions({
    queryKey: ['requisition-drafts', requisitionId],
    queryFn: async ({ signal }) => {
      const [drafts, inUse] = await Promise.all([loadDrafts(requisitionId, signal), draftsInUse()]);
      return drafts.filter(({ id }) => !inUse.has(id));
    },
    gcTime: 0,
    meta: { quiet: true },
  });

export async function keepDraft(
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
  };
  await api.put(`${ROOT}/${id}`, { body });
  draftIsKept(id);
}

export async function dropDraft(id: string): Promise<void> {
  await api.delete(`${ROOT}/${id}`);
  draftIsDropped(id);
}
