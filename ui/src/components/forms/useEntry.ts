import { useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import { describeError } from '../../api';
import { limits } from '../../contract';
import { toasts } from '../toasts';
import { trackEntry } from './unentered';

/** Why an entry was not added to its list, as a sentence; null if it was. */
export type Rejection = string | null;

interface RejectedEntry {
  text: string;
  reason: string;
}

/**
 * Handles Enter on text to be added to a list. The field is free for the next entry while the text
 * is looked up. Rejected text returns to the field with the reason below it, as soon as the field
 * is empty; otherwise a toast shows the reason. Saving waits for lookups and then for returned
 * text.
 */
export function useEntry(field: RefObject<HTMLInputElement | null>, typed: string) {
  const [rejectedEntries, setRejectedEntries] = useState<readonly RejectedEntry[]>([]);
  const returnedEntry = typed === '' ? rejectedEntries[0] : undefined;

  // A scan replaces the returned text; a person can correct it.
  useLayoutEffect(() => {
    if (returnedEntry) field.current?.select();
  }, [returnedEntry, field]);

  const showReason = ({ text, reason }: RejectedEntry) =>
    toasts.error(reason.includes(text) ? reason : `${text}: ${reason}`, limits.UNDO_MS);

  /** The returned text was entered again, edited or cleared. */
  const dismiss = () => {
    if (returnedEntry)
      setRejectedEntries((entries) => entries.filter((entry) => entry !== returnedEntry));
  };

  return {
    /** The text in the field: typed, or returned. */
    text: returnedEntry?.text ?? typed,
    /** Why the returned text was rejected. */
    rejection: returnedEntry?.reason,
    dismiss,
    /**
     * Handles typing. Typing over returned text may hide its reason before the user has read it.
     */
    handleEdit: (next: string) => {
      if (returnedEntry && next.length === 1) showReason(returnedEntry);
      dismiss();
    },
    /** Resolves to whether the text has returned to the field. */
    enter: (text: string, add: (text: string) => Promise<Rejection>): Promise<boolean> =>
      trackEntry(
        add(text)
          .catch(describeError)
          .then((reason) => {
            if (reason === null) return false;
            const isFree = field.current?.value === '';
            if (!isFree) showReason({ text, reason });
            // Rendered at once: a save that waited for this entry must find the text in the field.
            flushSync(() => setRejectedEntries((entries) => [...entries, { text, reason }]));
            return isFree;
          }),
      ),
  };
}
