import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { WindowUnavailable, useDevice } from '../device';
import { toasts } from './toasts';
import { useScreen } from './useMedia';

/**
 * Returns a function that opens a portal path as the specification asks for records: in a new
 * window or tab on desktops, in place on handhelds and in an installed app.
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
        // If no window can be opened, the record opens here.
        if (error instanceof WindowUnavailable) await navigate(path);
        else toasts.failure(error);
      }
    },
    [device, isHandheld, navigate],
  );
}
