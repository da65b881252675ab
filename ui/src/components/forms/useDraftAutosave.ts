import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

import { useIsPortalLost } from '../../api';

const DRAFT_PAUSE_MS = 800;

/**
 * Calls `saveDraft` shortly after the last change to the form's values, and again when `saveDraft`
 * changes, for example after the first save has given the record an id. While the portal cannot be
 * reached it waits, and stores the draft once the portal is back. `isDirty` and `saveDraft` must be
 * stable.
 */
export function useDraftAutosave<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  isDirty: () => boolean,
  saveDraft: (() => void) | undefined,
): void {
  const isPortalLost = useIsPortalLost();
  useEffect(() => {
    if (!saveDraft || isPortalLost) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleSave = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isDirty()) saveDraft();
      }, DRAFT_PAUSE_MS);
    };
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: scheduleSave,
    });
    if (isDirty()) scheduleSave();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [form, isDirty, saveDraft, isPortalLost]);
}
