const CLICK_KEYS = ['Enter', ' '];

/**
 * Ignores the release of Enter or Space on an element where the key was not pressed. Blueprint's
 * buttons click on every release: Enter in a dialog closes it, the focus returns to the button that
 * opened it, and the release would open it again. Returns a function that removes the listeners.
 */
export function ignoreStrayKeyReleases(page: Window): () => void {
  const pressedOn = new Map<string, EventTarget | null>();
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!event.repeat) pressedOn.set(event.key, event.target);
  };
  const handleKeyUp = (event: KeyboardEvent) => {
    const target = pressedOn.get(event.key);
    pressedOn.delete(event.key);
    if (CLICK_KEYS.includes(event.key) && target !== event.target) event.stopImmediatePropagation();
  };
  page.addEventListener('keydown', handleKeyDown, true);
  page.addEventListener('keyup', handleKeyUp, true);
  return () => {
    page.removeEventListener('keydown', handleKeyDown, true);
    page.removeEventListener('keyup', handleKeyUp, true);
  };
}
