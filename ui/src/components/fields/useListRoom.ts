import type { PopoverNextProps } from '@blueprintjs/core';
import { useMemo, useState, type RefObject } from 'react';

/** Distance of a list from the edge of the window. */
const MARGIN_PX = 8;
/** A list with at least this room stays below its field, even if there is more room above. */
const ENOUGH_PX = 180;
/** The page's fixed header, which names the record's patient. */
const HEADER = '[data-sticky="true"]';

/** The side of the field on which its list opens, and the height that it may have there. */
function findRoom(field: HTMLElement) {
  const { top, bottom } = field.getBoundingClientRect();
  // Above the keyboard of a phone.
  const windowTop = window.visualViewport?.offsetTop ?? 0;
  const windowBottom = windowTop + (window.visualViewport?.height ?? innerHeight);
  const header = field.closest('.bp6-portal') ? null : document.querySelector(HEADER);
  const above = top - Math.max(windowTop, header?.getBoundingClientRect().bottom ?? 0) - MARGIN_PX;
  const below = windowBottom - bottom - MARGIN_PX;
  return below >= ENOUGH_PX || below >= above
    ? { side: 'bottom' as const, height: below }
    : { side: 'top' as const, height: above };
}

type Room = Required<Pick<PopoverNextProps, 'placement' | 'middleware'>>;

/**
 * Keeps the list of a combobox within the window, below its field if there is room. The side does
 * not depend on the length of the list, which changes while the user types. The list limits its
 * height to the custom property `--room`.
 */
export function useListRoom(field: RefObject<HTMLElement | null>, matchWidth: boolean): Room {
  const [side, setSide] = useState<'bottom' | 'top'>('bottom');
  const middleware = useMemo<Room['middleware']>(
    () => ({
      flip: { mainAxis: false, crossAxis: false },
      size: {
        apply: ({ elements: { floating }, rects }) => {
          if (field.current === null) return;
          const room = findRoom(field.current);
          floating.style.setProperty('--room', `${Math.max(0, Math.floor(room.height))}px`);
          if (matchWidth) floating.style.width = `${rects.reference.width}px`;
          setSide(room.side);
        },
      },
    }),
    [field, matchWidth],
  );
  return { placement: `${side}-start`, middleware };
}

/** Scrolls the list to its highlighted line, unless the mouse has highlighted it. */
export function scrollToLine(id: string): void {
  const line = document.getElementById(id);
  const list = line?.parentElement;
  if (!line || !list || line.matches(':hover')) return;
  const { top, bottom } = line.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top) list.scrollTop -= Math.ceil(frame.top - top);
  else if (bottom > frame.bottom) list.scrollTop += Math.ceil(bottom - frame.bottom);
}
