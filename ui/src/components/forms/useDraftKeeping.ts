import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

const DRAFT_PAUSE_MS = 800;

/**
 * Calls `keep` a moment after the last change of the form's values, and anew where another `keep`
 * takes over, as when saving gives a new record its id. `isDirty` and `keep` must be stable.
 */
export function useDraftKeeping<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  isDirty: () => boolean,
  keep: (() => void) | undefined,
): void {
  useEffect(() => {
    if (!keep) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keepSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isDirty()) keep();
      }, DRAFT_PAUSE_MS);
    };
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: keepSoon,
    });
    if (isDirty()) keepSoon();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [form, isDirty, keep]);
}
