import { useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { paths } from '../../../lib/paths';
import { NewPassword } from '../components/NewPassword';
import { RecoveryRequest } from '../components/RecoveryRequest';
import { findRecoveryToken } from '../recoveryToken';

/**
 * Password recovery (P 2): asks for a link, or, behind the link, for the new password. The link's
 * secret is removed from the address at once, so that neither the history nor a picture of the
 * screen has it.
 */
export default function PasswordRecovery() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState<string | null>(null);
  const tokenInAddress = findRecoveryToken(hash);
  if (tokenInAddress !== null && tokenInAddress !== token) setToken(tokenInAddress);
  useLayoutEffect(() => {
    if (hash !== '') void navigate(paths.passwordRecovery, { replace: true });
  }, [hash, navigate]);
  return token === null ? (
    <RecoveryRequest />
  ) : (
    <NewPassword key={token} token={token} onRequestNewLink={() => setToken(null)} />
  );
}
