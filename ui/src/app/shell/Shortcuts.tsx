import { HotkeysContext, MenuItem, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { use, useMemo } from 'react';

import { usePermissions } from '../../api';
import { useOpenPath } from '../../components/useOpenPath';
import { buildMatrix } from '../../lib/matrix';
import { KeyCommandIcon } from '../../components/icons';
import { paths } from '../../lib/paths';

const NEW_REQUISITION = buildMatrix(paths.requisitionForm, { search: 'patient' });

/** Registers the keys that work on every screen. '?' lists them and those of the screen. */
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
}

/** A menu item that opens the list of keys. */
export function ShortcutsItem() {
  const [, dispatch] = use(HotkeysContext);
  return (
    <MenuItem
      icon={<KeyCommandIcon />}
      text="Keyboard shortcuts"
      label="?"
      onClick={() => dispatch({ type: 'OPEN_DIALOG' })}
    />
  );
}
