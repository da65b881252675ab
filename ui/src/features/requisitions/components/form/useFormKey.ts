import { useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useEffect, useMemo, useRef } from 'react';

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Registers a key of the requisition form; '?' lists it. A dialog over the form has its own keys.
 * The browser's own action for the key is prevented.
 */
export function useFormKey(combo: string, label: string, onPress: () => void): void {
  const latest = useRef(onPress);
  useEffect(() => {
    latest.current = onPress;
  });
  const keys = useMemo<HotkeyConfig[]>(
    () => [
      {
        combo,
        label,
        global: true,
        group: 'Requisition',
        allowInInput: true,
        preventDefault: true,
        onKeyDown: (event) => {
          if (!event.repeat && document.querySelector(DIALOG) === null) latest.current();
        },
      },
    ],
    [combo, label],
  );
  useHotkeys(keys);
}
