let pressed = false;

/** One listener for the whole page: whether a mouse button or finger is down. */
for (const [type, down] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const) {
  window.addEventListener(
    type,
    () => {
      pressed = down;
    },
    { capture: true },
  );
}

/**
 * Runs `act` now, or after the click that is under way. Leaving a field may write a sentence under
 * it; were that to happen between press and release, what the person is clicking would move away.
 */
export function afterPointer(act: () => void): void {
  if (!pressed) {
    act();
    return;
  }
  const released = () => {
    window.removeEventListener('pointerup', released, true);
    window.removeEventListener('pointercancel', released, true);
    // The click follows the release.
    setTimeout(act, 0);
  };
  window.addEventListener('pointerup', released, true);
  window.addEventListener('pointercancel', released, true);
}
