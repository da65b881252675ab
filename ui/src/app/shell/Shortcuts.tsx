import { HotkeysContext, MenuItem, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { use, useEffect, useMemo, useRef, type RefObject } from 'react';

import { usePermissions } from '../../api';
import { toasts } from '../../components/toasts';
import { useOpenPath } from '../../components/useOpenPath';
import { messages } from '../../contract';
import { buildMatrix } from '../../lib/matrix';
import { KeyCommandIcon } from '../../components/icons';
import { paths } from '../../lib/paths';
import { isSaveKey } from '../../lib/saveKey';

const NEW_REQUISITION = buildMatrix(paths.requisitionForm, { search: 'patient' });

/**
 * Registers the keys that work on every screen. '?' lists them and the screen's own keys. Ctrl+S
 * saves where a form is open; elsewhere the browser must not save the page (P 8).
 */
export function useShortcuts(): void {
  const openPath = useOpenPath();
  const canOrder = usePermissions().may('createRequisition');
  const keys = useMemo<HotkeyConfig[]>(
    () =>
      canOrder
        ? [
            {
              combo: 'alt+shift+n',
              global: true,
              group: 'Everywhere',
              label: 'New requisition, starting with the patient search',
              allowInInput: true,
              preventDefault: true,
              onKeyDown: () => void openPath(NEW_REQUISITION),
            },
          ]
        : [],
    [canOrder, openPath],
  );
  useHotkeys(keys);
  useEffect(() => {
    // Forms and dialogs listen on the document, before the window.
    const rejectSaveKey = (event: KeyboardEvent) => {
      if (!isSaveKey(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (!event.repeat) toasts.warning(messages.ACTION_NOT_ALLOWED);
    };
    window.addEventListener('keydown', rejectSaveKey);
    return () => window.removeEventListener('keydown', rejectSaveKey);
  }, []);
}

/**
 * Returns a function that opens the list of keys from a menu. Closing the list returns the focus to
 * the menu's button, because the menu itself is gone.
 */
export function useShortcutsDialog(menu: RefObject<HTMLElement | null>): () => void {
  const [{ isDialogOpen }, dispatch] = use(HotkeysContext);
  const isOpenedHere = useRef(false);
  useEffect(() => {
    if (isDialogOpen || !isOpenedHere.current) return;
    isOpenedHere.current = false;
    menu.current?.querySelector('button')?.focus();
  }, [isDialogOpen, menu]);
  return () => {
    isOpenedHere.current = true;
    dispatch({ type: 'OPEN_DIALOG' });
  };
}

/** A menu item that opens the list of keys. */
export function ShortcutsItem({ onOpen }: { onOpen: () => void }) {
  return (
    <MenuItem icon={<KeyCommandIcon />} text="Keyboard shortcuts" label="?" onClick={onOpen} />
  );
}
