import { useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';

import type { SignedOutReason } from '../api/session';
import { FormDialog } from '../components/dialogs/FormDialog';
import { messages } from '../contract';
import { rememberPath } from '../features/accounts/returnPath';
import { paths } from '../lib/paths';

const WIDTH_PX = 400;

interface SessionEndedProps {
  reason: SignedOutReason;
  /** Whose session ended; only this user returns to the address. */
  lastUserId: string | null;
}

/**
 * Shown at a secured address without a session: redirects to sign-in, or first says that the
 * session has expired.
 */
export default function SessionEnded({ reason, lastUserId }: SessionEndedProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const shouldReturn = reason !== 'left' && reason !== 'leftElsewhere';
  useEffect(() => {
    if (shouldReturn) rememberPath(location.pathname + location.search, lastUserId);
  }, [shouldReturn, location, lastUserId]);
  if (reason !== 'expired') return <Navigate to={paths.login} replace />;
  const goToLogin = () => void navigate(paths.login, { replace: true });
  return (
    <FormDialog
      isOpen
      title="Session expired"
      width={WIDTH_PX}
      onClose={goToLogin}
      onSubmit={goToLogin}
      submitLabel="Login"
    >
      {messages.SESSION_EXPIRED}
    </FormDialog>
  );
}
