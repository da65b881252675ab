import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * A list of a form for whatever is added to it some time after it was asked for: `now` is the list
 * of that moment and not the one drawn when it was asked, and `change` is made to that one; also
 * for a save that goes on when its form has been left. Nothing is changed while it is disabled.
 */
export function useLatestList<Entry>(
  value: readonly Entry[],
  onChange: (next: Entry[]) => void,
  disabled = false,
) {
  const list = useRef({ value, onChange, disabled });
  useLayoutEffect(() => {
    list.current = { value, onChange, disabled };
  });

  return {
    now: () => list.current.value,
    change: (edit: (now: readonly Entry[]) => readonly Entry[]) => {
      if (list.current.disabled) return;
      const next = [...edit(list.current.value)];
      list.current.value = next;
      // Drawn at once: a save that waited for this finds the form changed.
      flushSync(() => list.current.onChange(next));
    },
  };
}
