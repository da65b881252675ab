import { useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';

import type { SignedOutReason } from '../api/session';
import { FormDialog } from '../components/dialogs/FormDialog';
import { messages } from '../contract';
import { rememberPath } from '../features/accounts/returnPath';
import { paths } from '../lib/paths';

const WIDTH_PX = 400;

/** A secured address without a session: straight to sign-in, or first the news that it expired. */
export default function SessionEnded({ reason }: { reason: SignedOutReason }) {
  const location = useLocation();
  const navigate = useNavigate();
  const returns = reason !== 'left' && reason !== 'leftElsewhere';
  useEffect(() => {
    if (returns) rememberPath(location.pathname + location.search);
  }, [returns, location]);
  if (reason !== 'expired') return <Navigate to={paths.login} replace />;
  const leave = () => void navigate(paths.login, { replace: true });
  return (
    <FormDialog
      isOpen
      title="Session expired"
      width={WIDTH_PX}
      onClose={leave}
      onSubmit={leave}
      submitLabel="Login"
    >
      {messages.SESSION_EXPIRED}
    </FormDialog>
  );
}
