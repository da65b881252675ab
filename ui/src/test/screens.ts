import { vi } from 'vitest';

import { limits } from '../contract';

/** Lays the page out for a window of this width, in pixels; a mouse points. */
export function onScreenOf(width: number): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    media: query,
    matches: query.split(',').some((one) => {
      const most = /max-width: (\d+)px/.exec(one)?.[1];
      return most !== undefined && width <= Number(most) && !one.includes('pointer');
    }),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

/** The widest window that is still a phone's, a tablet's; and a desktop's. */
export const widths = {
  phone: limits.PHONE_MAX_WIDTH_PX,
  tablet: limits.TABLET_MAX_WIDTH_PX,
  desktop: 1360,
} as const;
