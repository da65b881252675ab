const CLICK_KEYS = ['Enter', ' '];

/**
 * Ignores Enter and Space that were pressed on another element, and are held or released here.
 * Enter in a dialog closes it, and the focus returns to what opened it. Blueprint's buttons click on
 * every release, and rows open on every press, so a slow finger would open the dialog again. Returns
 * a function that removes the listeners.
 */
export function ignoreStrayKeys(page: Window): () => void {
  const pressedOn = new Map<string, EventTarget | null>();
  const isStray = (event: KeyboardEvent) =>
    CLICK_KEYS.includes(event.key) && pressedOn.get(event.key) !== event.target;
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!event.repeat) pressedOn.set(event.key, event.target);
    if (!isStray(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const handleKeyUp = (event: KeyboardEvent) => {
    if (isStray(event)) event.stopImmediatePropagation();
    pressedOn.delete(event.key);
  };
  page.addEventListener('keydown', handleKeyDown, true);
  page.addEventListener('keyup', handleKeyUp, true);
  return () => {
    page.removeEventListener('keydown', handleKeyDown, true);
    page.removeEventListener('keyup', handleKeyUp, true);
  };
}
