import { useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { useEffect, useMemo, useRef } from 'react';

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Registers a key of a form; '?' lists it under the form's name. A dialog over the form has its own
 * keys. The browser's own action for the key is prevented.
 */
export function useFormKey(
  combo: string,
  label: string,
  onPress: () => void,
  group = 'Requisition',
): void {
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
        group,
        allowInInput: true,
        preventDefault: true,
        onKeyDown: (event) => {
          if (!event.repeat && document.querySelector(DIALOG) === null) latest.current();
        },
      },
    ],
    [combo, label, group],
  );
  useHotkeys(keys);
}
