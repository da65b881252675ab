import { useEffect, useRef } from 'react';

/** The code of a requisition or an order. */
export const CODE = /^[RL]\d{9}$/;

const LONGEST_PAUSE_MS = 1_500;
const EDITABLE =
  'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, ' +
  '[contenteditable="true"]';
const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Calls `onCode` for a code that is scanned or typed, followed by Enter, while no text field has
 * the focus: a scanner works like a keyboard. Other input is left alone.
 */
export function useScanner(onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  useEffect(() => {
    latest.current = onCode;
  });
  useEffect(() => {
    let typed = '';
    let lastKeyAt = 0;
    const handleKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isTextTarget = target?.closest(EDITABLE) ?? document.querySelector(DIALOG);
      if (isTextTarget || event.ctrlKey || event.metaKey || event.altKey) {
        typed = '';
        return;
      }
      if (
        event.key === 'Enter' &&
        CODE.test(typed) &&
        event.timeStamp - lastKeyAt < LONGEST_PAUSE_MS
      ) {
        // This Enter belongs to the code and must not press the focused element.
        event.preventDefault();
        event.stopPropagation();
        latest.current(typed);
        typed = '';
      } else if (event.key.length === 1) {
        if (event.timeStamp - lastKeyAt > LONGEST_PAUSE_MS) typed = '';
        typed = (typed + event.key.toUpperCase()).slice(-10);
        lastKeyAt = event.timeStamp;
      }
    };
    document.addEventListener('keydown', handleKey, true);
    return () => document.removeEventListener('keydown', handleKey, true);
  }, []);
}
