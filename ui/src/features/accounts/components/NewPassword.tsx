import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { ApiError, findFieldError, useSession, useSessionState } from '../../../api';
import { PasswordField } from '../../../components/fields/PasswordField';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages } from '../../../contract';
import { newPasswordTips, validateNewPassword } from '../../../lib/password';
import { paths } from '../../../lib/paths';
import { resetPassword } from '../api';
import { explainEntryFailure } from '../failures';
import { EntryFailure, EntryPage, EntrySubmit } from './EntryPage';
import styles from './EntryPage.module.css';

interface NewPasswordProps {
  /** The secret of the mailed link. */
  token: string;
  onRequestNewLink: () => void;
}

/** The page behind a mailed link: chooses a password, the first or a new one (ADR 58). */
export function NewPassword({ token, onRequestNewLink }: NewPasswordProps) {
  const session = useSession();
  const { status } = useSessionState();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [showsErrors, setShowsErrors] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [rejection, setRejection] = useState<string>();
  const [isLinkInvalid, setIsLinkInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const saveWrite = useWrite({
    send: (newPassword: string, idempotencyKey) =>
      resetPassword(token, newPassword, idempotencyKey),
    onDone: async () => {
      // All sessions of this account have ended. Also end another person's session in this browser.
      if (status === 'signedIn') await session.signOut('left');
      toasts.success(messages.NEW_PASSWORD_SAVED);
      void navigate(paths.login, { replace: true });
    },
    explain: (error) => {
      const reason = findFieldError(error, 'password');
      setRejection(reason);
      if (reason !== undefined) {
        input.current?.focus();
        return true;
      }
      const needsNewLink = error instanceof ApiError && error.code === 'recovery_link_invalid';
      setIsLinkInvalid(needsNewLink);
      setFailure(needsNewLink ? error.detail : explainEntryFailure(error));
      return true;
    },
  });

  const submit = () => {
    if (saveWrite.isRunning) return;
    setShowsErrors(true);
    if (validateNewPassword(password) !== undefined) {
      input.current?.focus();
      return;
    }
    setFailure(null);
    saveWrite.run(password);
  };

  return (
    <EntryPage
      showsTitle
      title={messages.NEW_PASSWORD_TITLE}
      prompt={newPasswordTips}
      onSubmit={submit}
    >
      <EntryFailure text={failure} />
      <PasswordField
        label="New Password"
        name="password"
        required
        autoComplete="new-password"
        inputRef={input}
        value={password}
        error={rejection ?? (showsErrors ? validateNewPassword(password) : undefined)}
        onChange={(value) => {
          setPassword(value);
          setRejection(undefined);
        }}
      />
      <EntrySubmit label="Save" isRunning={saveWrite.isRunning} />
      <div className={styles['links']}>
        <Link to={paths.login}>Go back</Link>
        {isLinkInvalid ? (
          <Link to={paths.passwordRecovery} onClick={onRequestNewLink}>
            Request a new link
          </Link>
        ) : null}
      </div>
    </EntryPage>
  );
}
