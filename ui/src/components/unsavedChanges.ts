/**
 * Whether closing this page would lose edits: asks the guards that would prevent `beforeunload`.
 * Checked before signing out, which no guard stops.
 */
export const hasUnsavedChanges = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
