import { useEffect, type ReactElement } from 'react';
import { createPath, NavigationType, useBlocker, type Location } from 'react-router';

import { messages } from '../../contract';
import { paths } from '../../lib/paths';
import { ConfirmDialog } from '../dialogs/ConfirmDialog';

/** Whether closing this page would lose something; asked before a sign-out, which no guard stops. */
export const hasUnsavedChanges = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Going to the address that is open already, as the menu does: a blank form is meant. */
const isAgain = (action: NavigationType, from: Location, to: Location): boolean =>
  action !== NavigationType.Pop && createPath(from) === createPath(to);

/**
 * Asks before a person leaves unsaved changes, inside the portal and when closing the page.
 * Render the element it answers. `onAbandon` is told when the person gives the changes up.
 */
export function useUnsavedGuard(
  isDirty: () => boolean,
  onAbandon?: () => void,
): ReactElement | null {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isDirty() &&
      (currentLocation.pathname !== nextLocation.pathname ||
        isAgain(historyAction, currentLocation, nextLocation)) &&
      nextLocation.pathname !== paths.login,
  );

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
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
