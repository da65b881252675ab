import { useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import { describeError } from '../../api';
import { limits } from '../../contract';
import { toasts } from '../toasts';
import { trackAddition } from './pendingText';

/** Why text was not added to its list, as a sentence; null if it was added. */
export type Rejection = string | null;

interface RejectedAddition {
  text: string;
  reason: string;
}

/**
 * Handles Enter on text to be added to a list. A person can type the next text while this
 * one is looked up. Rejected text returns to an empty field, with the reason below it. If the field
 * is in use, a toast shows the reason, and the text returns once the field is empty. A save waits
 * for all lookups, and stops if text has returned.
 */
export function useAddition(field: RefObject<HTMLInputElement | null>, typed: string) {
  const [rejectedAdditions, setRejectedAdditions] = useState<readonly RejectedAddition[]>([]);
  const returnedAddition = typed === '' ? rejectedAdditions[0] : undefined;

  // A scan replaces the returned text; a person can correct it.
  useLayoutEffect(() => {
    if (returnedAddition) field.current?.select();
  }, [returnedAddition, field]);

  const showReason = ({ text, reason }: RejectedAddition) =>
    toasts.error(reason.includes(text) ? reason : `${text}: ${reason}`, limits.UNDO_MS);

  /** Forgets the returned text once it is submitted again, edited, or cleared. */
  const dismiss = () => {
    if (returnedAddition)
      setRejectedAdditions((additions) =>
        additions.filter((addition) => addition !== returnedAddition),
      );
  };

  return {
    /** The text in the field: typed, or returned. */
    text: returnedAddition?.text ?? typed,
    /** Why the returned text was rejected. */
    rejection: returnedAddition?.reason,
    dismiss,
    /**
     * Handles typing. A toast repeats the reason if the user replaces the returned text.
     */
    handleEdit: (next: string) => {
      if (returnedAddition && next.length === 1) showReason(returnedAddition);
      dismiss();
    },
    /** Resolves to whether the text has returned to the field. */
    enter: (text: string, add: (text: string) => Promise<Rejection>): Promise<boolean> =>
      trackAddition(
        add(text)
          .catch(describeError)
          .then((reason) => {
            if (reason === null) return false;
            const isFree = field.current?.value === '';
            if (!isFree) showReason({ text, reason });
            // Render at once: a save that waited for this addition must find the text in the field.
            flushSync(() => setRejectedAdditions((additions) => [...additions, { text, reason }]));
            return isFree;
          }),
      ),
  };
}
