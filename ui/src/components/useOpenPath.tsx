import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { PopupBlocked, WindowUnavailable, useDevice } from '../device';
import { toasts } from './toasts';
import { useScreen } from './useMedia';

/**
 * Returns a function that opens a portal path as the specification asks for records: in a new
 * window or tab on desktops, in place on handhelds and in an installed app. If the browser blocks
 * the window, a dialog says so.
 */
export function useOpenPath(): (path: string) => Promise<void> {
  const device = useDevice();
  const navigate = useNavigate();
  const isHandheld = useScreen() !== 'desktop';
  return useCallback(
    async (path: string) => {
      if (isHandheld) {
        await navigate(path);
        return;
      }
      try {
        await device.openWindow(path);
      } catch (error) {
        const openHere = () => navigate(path);
        if (error instanceof PopupBlocked) {
          const { showPopupBlocked } = await import('./dialogs/PopupBlockedDialog');
          showPopupBlocked(() => void openHere());
        } else if (error instanceof WindowUnavailable) await openHere();
        else toasts.failure(error);
      }
    },
    [device, isHandheld, navigate],
  );
}
