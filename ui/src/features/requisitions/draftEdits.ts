import { listChangedFields, merge } from '../../lib/merge';
import type { Requisition } from './api';
import type { Draft } from './drafts';
import type { RequisitionValues } from './fields';
import { getItemKey, isEditable, toFormValues } from './form';
import { restoreDraft } from './patientChange';

/** What continuing a draft would change in a requisition as it is saved now. */
export interface DraftEdits {
  names: (keyof RequisitionValues)[];
  /** The values after continuing the draft. */
  values: RequisitionValues;
  savedValues: RequisitionValues;
  /** Whether it has edits of parts that are locked now. */
  hasLockedEdits: boolean;
}

export function findDraftEdits(draft: Draft, requisition: Requisition): DraftEdits {
  const savedValues = toFormValues(requisition);
  const { values: mine } = restoreDraft(draft.values, savedValues, null);
  const base: Partial<RequisitionValues> = draft.base;
  const { values, dropped } = merge(base, mine, savedValues, {
    isEditable: (name) => isEditable(requisition, name),
    getItemKey: (name) => getItemKey(name, base, mine),
  });
  const names = listChangedFields(savedValues, values);
  return { names, values, savedValues, hasLockedEdits: dropped.length > 0 };
}
