import { useEffect, useRef, type RefObject } from 'react';

/**
 * Focuses the first rejected field after each rejected save, because it may be far from view in a
 * long list. @returns the reference of the form
 */
export function useFocusRejected(
  rejectedSave: object | null,
  selector: string,
): RefObject<HTMLFormElement | null> {
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (rejectedSave === null) return;
    const first = fields.current?.querySelector<HTMLElement>(selector);
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  }, [rejectedSave, selector]);
  return fields;
}
