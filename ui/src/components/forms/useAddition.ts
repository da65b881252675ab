import { useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import { describeError, isUnreachable } from '../../api';
import { limits } from '../../contract';
import { toasts } from '../toasts';
import { usePortalReturn } from '../usePortalReturn';
import { trackAddition } from './pendingText';

/** Why text was not added to its list, as a sentence; null if it was added. */
export type Rejection = string | null;

interface RejectedAddition {
  text: string;
  /** Null once it is no longer true: the portal is reachable again. */
  reason: string | null;
  isUnreachable: boolean;
}

/**
 * Handles Enter on text to be added to a list. A person can type the next text while this
 * one is looked up. Rejected text returns to an empty field, with the reason below it. If the field
 * is in use, a toast shows the reason, and the text returns once the field is empty. Once a lost
 * portal is reachable again, the text stays without its reason. A save waits for all lookups, and
 * stops if text has returned.
 */
export function useAddition(field: RefObject<HTMLInputElement | null>, typedText: string) {
  const [rejectedAdditions, setRejectedAdditions] = useState<readonly RejectedAddition[]>([]);
  const returnedAddition = typedText === '' ? rejectedAdditions[0] : undefined;

  const returnedText = returnedAddition?.text;

  // A scan replaces the returned text; a person can correct it.
  useLayoutEffect(() => {
    if (returnedText !== undefined) field.current?.select();
  }, [returnedText, field]);

  usePortalReturn(() =>
    setRejectedAdditions((additions) =>
      additions.map((addition) =>
        addition.isUnreachable ? { ...addition, reason: null } : addition,
      ),
    ),
  );

  const showReason = (text: string, reason: string) =>
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
    text: returnedText ?? typedText,
    /** Why the returned text was rejected, while that is still true. */
    rejection: returnedAddition?.reason ?? undefined,
    dismiss,
    /**
     * Handles typing. A toast repeats the reason if the user replaces the returned text.
     */
    handleEdit: (next: string) => {
      if (returnedAddition?.reason && next.length === 1) {
        showReason(returnedAddition.text, returnedAddition.reason);
      }
      dismiss();
    },
    /** Resolves to whether the text has returned to the field. */
    enter: (text: string, add: (text: string) => Promise<Rejection>): Promise<boolean> =>
      trackAddition(
        add(text)
          .then((reason) => ({ reason, isUnreachable: false }))
          .catch((error: unknown) => ({
            reason: describeError(error),
            isUnreachable: isUnreachable(error),
          }))
          .then(({ reason, ...cause }) => {
            if (reason === null) return false;
            const isFree = field.current?.value === '';
            if (!isFree) showReason(text, reason);
            const rejectedText = { text, reason, ...cause };
            // Render at once: a save that waited for this addition must find the text in the field.
            flushSync(() => setRejectedAdditions((additions) => [...additions, rejectedText]));
            return isFree;
          }),
      ),
  };
}
