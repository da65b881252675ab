import { Classes } from '@blueprintjs/core';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Marks a grid, list, or row that gets the focus when an act removes its own button. */
const FOCUS_HOME = '[data-focus-home]';

/**
 * Finds the place that gets the focus when this element is gone. A popup is drawn elsewhere in the
 * page, and belongs to its button.
 */
export function findFocusHome(element: Element): Element | null {
  const popup = element.closest<HTMLElement>('[data-popup-of]');
  return document.getElementById(popup?.dataset['popupOf'] ?? '') ?? element.closest(FOCUS_HOME);
}

/** Blueprint traps the focus of a dialog with unnamed elements at its ends. */
export const FOCUS_TRAP = `.${Classes.OVERLAY_START_FOCUS_TRAP}, .${Classes.OVERLAY_END_FOCUS_TRAP}`;

/**
 * Whether the focus is on something useful. A disabled or removed element leaves the focus on the
 * page, and a click beside the fields of a dialog on its frame. An element of a dialog or popup that
 * closes disappears with it.
 */
export function hasUsefulFocus(closingOverlay?: HTMLElement | null): boolean {
  const focusedElement = document.activeElement;
  return (
    focusedElement !== null &&
    !focusedElement.matches(`body, .${Classes.DIALOG_CONTAINER}, ${FOCUS_TRAP}`) &&
    !closingOverlay?.contains(focusedElement)
  );
}

/** The control of a row that an act has unlocked, or the only cell of a grid with a tab stop. */
const FIRST_CONTROL = '[data-focus-first]';
const ACTIVE_CELL = '[role="gridcell"][tabindex="0"], [role="columnheader"] [tabindex="0"]';

/** Focuses the first control of a row, the active cell of a grid, or a list's first button. */
export function focusHome(home: Element): void {
  const targets = [FIRST_CONTROL, ACTIVE_CELL, 'button'].map((query) => home.querySelector(query));
  const target = targets.find((element) => element !== null) ?? home;
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** Moves the focus to the screen's title after the focused element has been removed. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('[data-screen-title]')?.focus({ preventScroll: true });
}

/** Where the focus was: the item of a list, and its place in the list. */
export interface LastItem {
  item: Element;
  index: number;
}

function findItem(element: Element): LastItem | null {
  const item = element.closest('li');
  return item && { item, index: [...(item.parentElement?.children ?? [])].indexOf(item) };
}

/**
 * Calls `restore` when the element of `area` that was used last has lost the focus because it was
 * removed or disabled. Otherwise the keyboard would start again at the top of the page.
 * @param isBusy whether an action is running, whose button may be enabled again
 */
export function useLostFocus(
  area: RefObject<HTMLElement | null>,
  isBusy: boolean,
  restore: (last: LastItem | null) => void,
): void {
  const lastUsed = useRef<{ element: HTMLElement; item: LastItem | null } | null>(null);
  const latest = useRef(restore);
  useLayoutEffect(() => {
    latest.current = restore;
  });
  useEffect(() => {
    const noteTarget = ({ target }: Event) => {
      const isInside = target instanceof HTMLElement && area.current?.contains(target);
      lastUsed.current = isInside ? { element: target, item: findItem(target) } : null;
    };
    document.addEventListener('focusin', noteTarget);
    document.addEventListener('pointerdown', noteTarget);
    return () => {
      document.removeEventListener('focusin', noteTarget);
      document.removeEventListener('pointerdown', noteTarget);
    };
  }, [area]);
  useEffect(() => {
    const last = lastUsed.current;
    const isLost = document.activeElement?.matches('body, :disabled') ?? true;
    if (last === null || !isLost || isBusy) return;
    if (!last.element.isConnected || last.element.matches(':disabled')) latest.current(last.item);
  });
}
