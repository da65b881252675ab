import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { NoNewWindow, useDevice } from '../device';
import { toasts } from './toasts';
import { useScreen } from './useMedia';

/**
 * Opens a portal path the way the specification wants records opened: in a window or tab of its
 * own on desktops, in place on handhelds and in an installed app.
 */
export function useOpenPath(): (path: string) => Promise<void> {
  const device = useDevice();
  const navigate = useNavigate();
  const handheld = useScreen() !== 'desktop';
  return useCallback(
    async (path: string) => {
      if (handheld) {
        await navigate(path);
        return;
      }
      try {
        await device.openWindow(path);
      } catch (error) {
        // No window is no reason to refuse: the record opens here.
        if (error instanceof NoNewWindow) await navigate(path);
        else toasts.failure(error);
      }
    },
    [device, handheld, navigate],
  );
}
