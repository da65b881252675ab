import { useSyncExternalStore } from 'react';

import { limits } from '../contract';

export type Screen = 'phone' | 'tablet' | 'desktop';

const PHONE = `(max-width: ${limits.PHONE_MAX_WIDTH_PX}px)`;
const TABLET =
  `(max-width: ${limits.TABLET_MAX_WIDTH_PX}px), ` +
  `(max-width: ${limits.TABLET_TOUCH_MAX_WIDTH_PX}px) and (pointer: coarse)`;
// A laptop enlarged to 200 %, or a tablet with its keyboard open. CSS modules name the same height.
const LOW = '(max-height: 560px)';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const list = matchMedia(query);
      list.addEventListener('change', notify);
      return () => list.removeEventListener('change', notify);
    },
    () => matchMedia(query).matches,
  );
}

/** Returns the layout to use (DECISIONS: phone below 600 px, tablet to 959, touch to 1279). */
export function useScreen(): Screen {
  const isPhone = useMedia(PHONE);
  const isTablet = useMedia(TABLET);
  if (isPhone) return 'phone';
  return isTablet ? 'tablet' : 'desktop';
}

/** Whether the window is so low that rows need the space of the panels above them. */
export const useIsLow = (): boolean => useMedia(LOW);
