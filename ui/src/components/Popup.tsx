import { PopoverNext, type PopoverNextProps } from '@blueprintjs/core';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { hasUsefulFocus } from './lostFocus';

export interface PopupProps extends Pick<
  PopoverNextProps,
  'placement' | 'middleware' | 'renderTarget' | 'arrow' | 'animation'
> {
  /** Builds the content, which calls `close` after a choice. */
  content: (close: () => void) => ReactNode;
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [role="menuitem"]';

/**
 * Whether Tab leaves the popup. A menu is one tab stop, and arrow keys move inside it. In a list of
 * buttons, Tab moves from button to button before it leaves.
 */
function isLeaving({ target, shiftKey }: KeyboardEvent): boolean {
  const popup = (target as Element).closest('.bp6-portal');
  if (!popup || popup.querySelector('[role="menu"]')) return true;
  const stops = [...popup.querySelectorAll(FOCUSABLE)];
  return stops.length === 0 || target === (shiftKey ? stops[0] : stops.at(-1));
}

const listMenuItems = (popup: Element): HTMLElement[] => [
  ...popup.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])'),
];

/** Focuses the first item of what opens; Blueprint would focus an invisible element before it. */
function focusFirstItem(popup: HTMLElement | null): void {
  const item = popup && (listMenuItems(popup)[0] ?? popup.querySelector<HTMLElement>(FOCUSABLE));
  item?.focus({ preventScroll: true });
}

/** Moves the focus in a menu, from its last item to the first; Blueprint's menus have no keys. */
function moveInMenu(event: KeyboardEvent): void {
  const menu = (event.target as Element).closest('[role="menu"]');
  if (menu === null) return;
  const items = listMenuItems(menu);
  const index = items.indexOf(event.target as HTMLElement);
  const targets: Partial<Record<string, HTMLElement | undefined>> = {
    ArrowDown: items[index + 1] ?? items[0],
    ArrowUp: items.at(Math.max(index, 0) - 1),
    Home: items[0],
    End: items.at(-1),
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

/**
 * A menu or list that a button opens. Escape and a choice return to the button; Tab closes it and
 * moves on from there.
 */
export function Popup({ content, ...props }: PopupProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [returnsFocus, setReturnsFocus] = useState(true);
  const anchor = useRef<HTMLDivElement>(null);
  const anchorId = useId();
  const close = () => setIsOpen(false);
  // Blueprint would take the focus even from a dialog that a choice has opened.
  const returnFocus = (popup: HTMLElement) => {
    if (!returnsFocus || hasUsefulFocus(popup)) return;
    anchor.current?.querySelector<HTMLElement>('button')?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    moveInMenu(event);
    if (event.key !== 'Tab' || !isLeaving(event)) return;
    // The browser moves on from the button.
    anchor.current?.querySelector<HTMLElement>('button')?.focus();
    if (event.shiftKey) event.preventDefault();
    setReturnsFocus(false);
    close();
  };
  return (
    // This element only watches the keys pressed inside it.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={anchor} id={anchorId} style={{ display: 'contents' }} onKeyDown={handleKeyDown}>
      <PopoverNext
        {...props}
        isOpen={isOpen}
        onInteraction={(isOpening) => {
          if (isOpening) setReturnsFocus(true);
          setIsOpen(isOpening);
        }}
        enforceFocus={false}
        shouldReturnFocusOnClose={false}
        // A dialog takes the focus back from a popup that is still fading in.
        onOpened={(popup) => {
          if (!hasUsefulFocus()) focusFirstItem(popup);
        }}
        onClosed={returnFocus}
        content={
          // After a dialog that the popup opened, the focus returns to the button.
          <div ref={focusFirstItem} data-popup-of={anchorId} style={{ display: 'contents' }}>
            {content(close)}
          </div>
        }
      />
    </div>
  );
}
