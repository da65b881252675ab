import { HotkeysContext, MenuItem, useHotkeys, type HotkeyConfig } from '@blueprintjs/core';
import { use, useMemo } from 'react';

import { usePermissions } from '../../api';
import { useOpenPath } from '../../components/useOpenPath';
import { buildMatrix } from '../../lib/matrix';
import { KeyCommandIcon } from '../../components/icons';
import { paths } from '../../lib/paths';

const NEW_REQUISITION = buildMatrix(paths.requisitionForm, { search: 'patient' });

/** The keys that work on every screen; '?' lists them all, also those of the screen itself. */
export function useShortcuts(): void {
  const openPath = useOpenPath();
  const mayOrder = usePermissions().may('createRequisition');
  const keys = useMemo<HotkeyConfig[]>(
    () =>
      mayOrder
        ? [
            {
              combo: 'alt+shift+n',
              global: true,
              group: 'Everywhere',
              label: 'New requisition, beginning with the search of its patient',
              allowInInput: true,
              preventDefault: true,
              onKeyDown: () => void openPath(NEW_REQUISITION),
            },
          ]
        : [],
    [mayOrder, openPath],
  );
  useHotkeys(keys);
}

/** Opens the list of keys. */
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
