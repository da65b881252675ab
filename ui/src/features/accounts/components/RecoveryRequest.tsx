import { Button, Dialog } from '@blueprintjs/core';
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { ApiError } from '../../../api';
import { TextField } from '../../../components/fields/TextField';
import { useScreen } from '../../../components/useMedia';
import { useWrite } from '../../../components/useWrite';
import { limits, messages, say } from '../../../contract';
import { isEmail } from '../../../lib/email';
import { paths } from '../../../lib/paths';
import { requestRecoveryLink } from '../api';
import { explainEntryFailure } from '../failures';
import { EntryFailure, EntryPage, EntrySubmit } from './EntryPage';
import styles from './EntryPage.module.css';
import recoveryStyles from './recovery.module.css';

function validateEmail(email: string): string | undefined {
  if (email === '') return messages.EMAIL_REQUIRED;
  return isEmail(email) ? undefined : messages.EMAIL_INVALID;
}

/** The message for a request that failed (P 8). */
function explainFailure(error: unknown): string {
  return error instanceof ApiError && error.status === 404
    ? messages.RECOVERY_EMAIL_UNKNOWN
    : explainEntryFailure(error);
}

/** The form that requests a link for choosing a new password (P 2). */
export function RecoveryRequest() {
  const [email, setEmail] = useState('');
  const [showsErrors, setShowsErrors] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const sendWrite = useWrite({
    send: requestRecoveryLink,
    onDone: () => setIsSent(true),
    explain: (error) => {
      setFailure(explainFailure(error));
      input.current?.focus();
      return true;
    },
  });

  const submit = () => {
    if (sendWrite.isRunning) return;
    setShowsErrors(true);
    if (validateEmail(email.trim()) !== undefined) {
      input.current?.focus();
      return;
    }
    setFailure(null);
    sendWrite.run(email.trim());
  };

  return (
    <EntryPage
      showsTitle
      title="Password recovery"
      prompt={messages.RECOVERY_TIPS}
      onSubmit={submit}
    >
      <EntryFailure text={failure} />
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        inputRef={input}
        value={email}
        error={showsErrors ? validateEmail(email.trim()) : undefined}
        onChange={setEmail}
      />
      <EntrySubmit label="Send" isRunning={sendWrite.isRunning} />
      <div className={styles['links']}>
        <Link to={paths.login}>Go back</Link>
      </div>
      <SentPopup isOpen={isSent} />
    </EntryPage>
  );
}

/** Says that the link is in the e-mail; OK returns to sign-in. */
function SentPopup({ isOpen }: { isOpen: boolean }) {
  const navigate = useNavigate();
  const isPhone = useScreen() === 'phone';
  const textId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [width, height] = limits.DIALOG_PASSWORD_RECOVERY_PX;
  const close = () => void navigate(paths.login);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      onOpened={() => button.current?.focus()}
      canOutsideClickClose={false}
      aria-labelledby={textId}
      className={recoveryStyles['popup'] ?? ''}
      style={isPhone ? { width: '90vw', minHeight: height } : { width, height }}
    >
      <p id={textId}>{say(messages.RECOVERY_SENT, { minutes: limits.RECOVERY_LINK_MINUTES })}</p>
      <Button ref={button} intent="primary" onClick={close}>
        OK
      </Button>
    </Dialog>
  );
}
