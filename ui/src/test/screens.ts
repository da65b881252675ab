import { vi } from 'vitest';

import { limits } from '../contract';

/** Sets the size of the window in pixels, with a mouse as pointer. */
export function setScreenWidth(width: number, height = 850): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    media: query,
    matches: query.split(',').some((condition) => {
      const maxHeight = /max-height: (\d+)px/.exec(condition)?.[1];
      if (maxHeight !== undefined) return height <= Number(maxHeight);
      const maxWidth = /max-width: (\d+)px/.exec(condition)?.[1];
      return maxWidth !== undefined && width <= Number(maxWidth) && !condition.includes('pointer');
    }),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

/** The largest widths of phones and tablets, and a desktop width. */
export const widths = {
  phone: limits.PHONE_MAX_WIDTH_PX,
  tablet: limits.TABLET_MAX_WIDTH_PX,
  desktop: 1360,
} as const;
