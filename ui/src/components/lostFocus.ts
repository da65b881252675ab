import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Marks a grid or list that gets the focus when an act on its rows removes its own button. */
export const FOCUS_HOME = '[data-focus-home]';

const ACTIVE_CELL = '[role="gridcell"][tabindex="0"], [role="columnheader"] [tabindex="0"]';

/** Focuses the active cell of a grid, its only cell with a tab stop, or a list's first button. */
export function focusHome(home: Element): void {
  const target = home.querySelector(ACTIVE_CELL) ?? home.querySelector('button') ?? home;
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/**
 * Calls `restore` when the element of `area` that was used last is gone or disabled and the focus
 * with it. Otherwise the keyboard would start again at the top of the page.
 * @param isBusy whether an action is running, whose button may be enabled again
 */
export function useLostFocus(
  area: RefObject<HTMLElement | null>,
  isBusy: boolean,
  restore: () => void,
): void {
  const lastUsed = useRef<HTMLElement | null>(null);
  const latest = useRef(restore);
  useLayoutEffect(() => {
    latest.current = restore;
  });
  useEffect(() => {
    const noteTarget = ({ target }: Event) => {
      const isInside = target instanceof HTMLElement && area.current?.contains(target);
      lastUsed.current = isInside ? target : null;
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
    if (!last.isConnected || last.matches(':disabled')) latest.current();
  });
}
