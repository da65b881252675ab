import { useNavigate } from 'react-router';

import { FormDialog } from '../components/dialogs/FormDialog';
import { messages } from '../contract';
import { paths } from '../lib/paths';

const WIDTH_PX = 400;

/** Says that the session has expired, and leads to sign-in. */
export default function ExpiredDialog() {
  const navigate = useNavigate();
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
