const TEXT_FIELDS = 'input, textarea, [contenteditable="true"]';

/** Whether the browser's menu helps here: in a text field, on a link, and on selected text. */
function isAllowed(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(`${TEXT_FIELDS}, a[href]`) !== null) return true;
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return false;
  return selection.getRangeAt(0).intersectsNode(target);
}

/**
 * Disables the menu of the right mouse button, except where people need it (P 8, DECISIONS).
 * @returns the function that removes the listener
 */
export function disableContextMenu(): () => void {
  const handleMenu = (event: MouseEvent) => {
    if (!isAllowed(event.target)) event.preventDefault();
  };
  window.addEventListener('contextmenu', handleMenu);
  return () => window.removeEventListener('contextmenu', handleMenu);
}
