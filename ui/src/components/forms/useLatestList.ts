import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

import { messages, say } from '../../contract';
import { toasts } from '../toasts';

/** Says that an item was not added, because the list has it. */
export const notifyAlreadyListed = (name: string): void =>
  toasts.info(say(messages.ALREADY_LISTED, { name }));

/**
 * Access to a form's list for answers that arrive later. `getLatest` returns the current list
 * instead of the one at render time, and `change` edits that list, even for a save that continues
 * after its form was left. A disabled list does not change.
 */
export function useLatestList<Item>(
  value: readonly Item[],
  onChange: (next: Item[]) => void,
  disabled = false,
) {
  const list = useRef({ value, onChange, disabled });
  useLayoutEffect(() => {
    list.current = { value, onChange, disabled };
  });

  return {
    getLatest: () => list.current.value,
    change: (edit: (current: readonly Item[]) => readonly Item[]) => {
      if (list.current.disabled) return;
      const next = [...edit(list.current.value)];
      list.current.value = next;
      // A save may be waiting for this change and read the form next, so it is rendered at once.
      flushSync(() => list.current.onChange(next));
    },
  };
}
