import { useEffect, useRef, type ReactElement } from 'react';
import { createPath, NavigationType, useBlocker, type Location } from 'react-router';

import { messages } from '../../contract';
import { paths } from '../../lib/paths';
import { ConfirmDialog } from '../dialogs/ConfirmDialog';

/** Whether the user navigates to the current address, as the menu does to get a blank form. */
const isSameAddress = (action: NavigationType, from: Location, to: Location): boolean =>
  action !== NavigationType.Pop && createPath(from) === createPath(to);

/**
 * Asks before unsaved changes are lost, inside the portal and when the page closes. Render the
 * element that it returns. `onAbandon` is called when the user discards the changes.
 * @param losesMore whether leaving loses something besides the changes
 */
export function useUnsavedGuard(
  isDirty: () => boolean,
  onAbandon?: () => void,
  losesMore?: () => boolean,
): ReactElement | null {
  // Whether the changes themselves would be lost. If only other content would be, the draft stays.
  const losesChanges = useRef(false);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    losesChanges.current = isDirty();
    return (
      (losesChanges.current || losesMore?.() === true) &&
      (currentLocation.pathname !== nextLocation.pathname ||
        isSameAddress(historyAction, currentLocation, nextLocation)) &&
      nextLocation.pathname !== paths.login
    );
  });

  useEffect(() => {
    const preventUnload = (event: BeforeUnloadEvent) => {
      if (isDirty() || losesMore?.() === true) event.preventDefault();
    };
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isDirty, losesMore]);

  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      isOpen
      title="Unsaved changes"
      message={messages.UNSAVED_CHANGES}
      confirmLabel="Continue"
      intent="danger"
      onConfirm={() => {
        if (losesChanges.current) onAbandon?.();
        blocker.proceed();
      }}
      onClose={() => blocker.reset()}
    />
  );
}
