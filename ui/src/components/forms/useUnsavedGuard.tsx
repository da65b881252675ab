import { useEffect, type ReactElement } from 'react';
import { createPath, NavigationType, useBlocker, type Location } from 'react-router';

import { messages } from '../../contract';
import { paths } from '../../lib/paths';
import { ConfirmDialog } from '../dialogs/ConfirmDialog';

/** Whether closing this page would lose edits. Checked before signing out, which no guard stops. */
export const hasUnsavedChanges = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Whether the user navigates to the current address, as the menu does to get a blank form. */
const isSameAddress = (action: NavigationType, from: Location, to: Location): boolean =>
  action !== NavigationType.Pop && createPath(from) === createPath(to);

/**
 * Asks before unsaved changes are lost, inside the portal and when the page closes. Render the
 * element that it returns. `onAbandon` is called when the user discards the changes.
 */
export function useUnsavedGuard(
  isDirty: () => boolean,
  onAbandon?: () => void,
): ReactElement | null {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isDirty() &&
      (currentLocation.pathname !== nextLocation.pathname ||
        isSameAddress(historyAction, currentLocation, nextLocation)) &&
      nextLocation.pathname !== paths.login,
  );

  useEffect(() => {
    const preventUnload = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isDirty]);

  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      isOpen
      title="Unsaved changes"
      message={messages.UNSAVED_CHANGES}
      confirmLabel="Continue"
      intent="danger"
      onConfirm={() => {
        onAbandon?.();
        blocker.proceed();
      }}
      onClose={() => blocker.reset()}
    />
  );
}
