import { useEffect, useRef } from 'react';

/** The code of a requisition or of an order. */
export const CODE = /^[RL]\d{9}$/;

const LONGEST_PAUSE_MS = 1_500;
const EDITABLE =
  'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, ' +
  '[contenteditable="true"]';
const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Hears a code that is scanned or typed, with Enter at its end, while nothing that takes text has
 * the focus: a scanner is a keyboard. What is no code goes its way untouched.
 */
export function useScanner(onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  useEffect(() => {
    latest.current = onCode;
  });
  useEffect(() => {
    let typed = '';
    let at = 0;
    const hear = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const busy = target?.closest(EDITABLE) ?? document.querySelector(DIALOG);
      if (busy || event.ctrlKey || event.metaKey || event.altKey) {
        typed = '';
        return;
      }
      if (event.key === 'Enter' && CODE.test(typed) && event.timeStamp - at < LONGEST_PAUSE_MS) {
        // Enter belongs to the code: it must not press what has the focus as well.
        event.preventDefault();
        event.stopPropagation();
        latest.current(typed);
        typed = '';
      } else if (event.key.length === 1) {
        if (event.timeStamp - at > LONGEST_PAUSE_MS) typed = '';
        typed = (typed + event.key.toUpperCase()).slice(-10);
        at = event.timeStamp;
      }
    };
    document.addEventListener('keydown', hear, true);
    return () => document.removeEventListener('keydown', hear, true);
  }, []);
}
