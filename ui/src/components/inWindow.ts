import type { PopoverNextProps } from '@blueprintjs/core';

type Middleware = NonNullable<PopoverNextProps['middleware']>;

const edge = { padding: 8 };

/** Limits a popover's height to the space on its side (`--room`), and scrolls its content. */
export const scrolledInWindow: Middleware = {
  shift: edge,
  size: {
    ...edge,
    apply: ({ availableHeight, elements: { floating } }) => {
      floating.style.setProperty('--room', `${Math.max(0, Math.floor(availableHeight))}px`);
    },
  },
};

/** Opens a popover beside its button if there is not enough room above or below. */
export const besideInWindow: Middleware = {
  flip: { ...edge, crossAxis: false, fallbackPlacements: ['top-end', 'right', 'left'] },
  shift: edge,
};
