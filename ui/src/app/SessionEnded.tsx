import { useEffect, useState, type ComponentType } from 'react';
import { Navigate, useLocation } from 'react-router';

import type { SignedOutReason } from '../api/session';
import { rememberPath } from '../features/accounts/returnPath';
import { paths } from '../lib/paths';

const ToLogin = () => <Navigate to={paths.login} replace />;

/**
 * The dialog about an expired session. Without a connection, or after an update of the portal, it
 * cannot be loaded. Then the sign-in page appears at once; it gives the reason, too.
 */
function Expired() {
  const [Dialog, setDialog] = useState<ComponentType | null>(null);
  useEffect(() => {
    import('./ExpiredDialog').then(
      ({ default: SignInDialog }) => setDialog(() => SignInDialog),
      () => setDialog(() => ToLogin),
    );
  }, []);
  return Dialog && <Dialog />;
}

interface SessionEndedProps {
  reason: SignedOutReason;
  /** The user whose session ended; only this user returns to the address. */
  lastUserId: string | null;
}

/**
 * Shown at a secured address without a session: redirects to sign-in, or first says that the
 * session has expired.
 */
export function SessionEnded({ reason, lastUserId }: SessionEndedProps) {
  const location = useLocation();
  const shouldReturn = reason !== 'left' && reason !== 'leftElsewhere';
  useEffect(() => {
    if (shouldReturn) rememberPath(location.pathname + location.search, lastUserId);
  }, [shouldReturn, location, lastUserId]);
  return reason === 'expired' ? <Expired /> : <ToLogin />;
}
