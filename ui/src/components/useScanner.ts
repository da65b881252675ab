import { useEffect, useRef } from 'react';

/** The code of a requisition or an order. */
export const CODE = /^[RL]\d{9}$/;

/** Whether the code belongs to a requisition, as on the labels of its tubes. */
export const isRequisitionCode = (code: string): boolean => CODE.test(code) && code.startsWith('R');

/** What a scanner may read from a label, unlike single keys and words that a person types. */
const ANY_CODE = /^[A-Z0-9-]{4,}$/;
const LONGEST_CODE = 50;
const LONGEST_PAUSE_MS = 1_500;
const EDITABLE =
  'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, ' +
  '[contenteditable="true"]';
const DIALOG = '[role="dialog"], [role="alertdialog"]';

interface ScannerOptions {
  /** Whether codes are read now. */
  isActive?: boolean;
  /**
   * Whether to read any code, even while a dialog is open; the scanner's Enter then presses no
   * button of the dialog. By default only codes of records are read, and only while no dialog is
   * open.
   */
  isInDialog?: boolean;
  /** Whether a code means an act on this screen, so that no other scanner may read it. */
  claims?: (code: string) => boolean;
}

const codeClaims = new Set<(code: string) => boolean>();

/**
 * Calls `onCode` for a code that is scanned or typed, followed by Enter, while no text field has
 * the focus: a scanner works like a keyboard. Other input is left alone.
 */
export function useScanner(
  onCode: (code: string) => void,
  { isActive = true, isInDialog = false, claims }: ScannerOptions = {},
): void {
  const latest = useRef(onCode);
  useEffect(() => {
    latest.current = onCode;
  });
  useEffect(() => {
    if (!isActive) return undefined;
    const pattern = isInDialog ? ANY_CODE : CODE;
    const length = isInDialog ? LONGEST_CODE : 'R260000001'.length;
    let scannedText = '';
    let lastKeyAt = 0;
    let isEnterOfCode = false;
    const isElsewhere = (target: HTMLElement | null): boolean => {
      if (target?.closest(EDITABLE)) return true;
      return !isInDialog && document.querySelector(DIALOG) !== null;
    };
    const isOwn = (code: string) =>
      isInDialog || (claims?.(code) ?? ![...codeClaims].some((isClaimed) => isClaimed(code)));
    const handleKey = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (isElsewhere(event.target as HTMLElement | null) || hasModifier) {
        scannedText = '';
        return;
      }
      const isPaused = event.timeStamp - lastKeyAt > LONGEST_PAUSE_MS;
      if (event.key === 'Enter' && pattern.test(scannedText) && isOwn(scannedText) && !isPaused) {
        // This Enter belongs to the code and must not press the focused element.
        event.preventDefault();
        event.stopPropagation();
        isEnterOfCode = true;
        latest.current(scannedText);
        scannedText = '';
      } else if (event.key.length === 1) {
        if (isPaused) scannedText = '';
        scannedText = (scannedText + event.key.toUpperCase()).slice(-length);
        lastKeyAt = event.timeStamp;
      }
    };
    // Blueprint's buttons click when the key is released.
    const handleRelease = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !isEnterOfCode) return;
      isEnterOfCode = false;
      event.stopPropagation();
    };
    if (claims) codeClaims.add(claims);
    document.addEventListener('keydown', handleKey, true);
    document.addEventListener('keyup', handleRelease, true);
    return () => {
      if (claims) codeClaims.delete(claims);
      document.removeEventListener('keydown', handleKey, true);
      document.removeEventListener('keyup', handleRelease, true);
    };
  }, [isActive, isInDialog, claims]);
}
