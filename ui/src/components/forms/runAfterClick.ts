let isPointerDown = false;

/** Actions that wait for the event of a click that has just ended. */
const pendingTimers = new Set<ReturnType<typeof setTimeout>>();

/** Tracks for the whole page whether a mouse button or finger is down. */
for (const [type, isDown] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const) {
  window.addEventListener(
    type,
    () => {
      isPointerDown = isDown;
    },
    { capture: true },
  );
}

/**
 * Runs `action` now, or after the click in progress. Leaving a field may show an error below it;
 * between press and release, that would move the target of the click.
 */
export function runAfterClick(action: () => void): void {
  if (!isPointerDown) {
    action();
    return;
  }
  const onRelease = () => {
    window.removeEventListener('pointerup', onRelease, true);
    window.removeEventListener('pointercancel', onRelease, true);
    // The click event follows the release.
    const timer = setTimeout(() => {
      pendingTimers.delete(timer);
      action();
    }, 0);
    pendingTimers.add(timer);
  };
  window.addEventListener('pointerup', onRelease, true);
  window.addEventListener('pointercancel', onRelease, true);
}

/** Cancels pending actions, because this click empties the form. */
export function cancelAfterClick(): void {
  pendingTimers.forEach(clearTimeout);
  pendingTimers.clear();
}
