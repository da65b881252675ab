import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { Navigate } from 'react-router';

import { ApiError, explain, useCapabilities, useSession, useSessionState } from '../../../api';
import { TextField } from '../../../components/fields/TextField';
import { useScreen } from '../../../components/useMedia';
import { InfoSignIcon, WarningSignIcon } from '../../../components/icons';
import { messages, say, type Role } from '../../../contract';
import { isEmail } from '../../../lib/email';
import { takeKeptDrafts } from '../../../api/keptDrafts';
import { takeRememberedPath } from '../returnPath';
import styles from './LoginScreen.module.css';

interface Credentials {
  email: string;
  password: string;
}

const BLANK: Credentials = { email: '', password: '' };

/** What is wrong with each field. The form is too small for the machinery of the others. */
function errorsOf({ email, password }: Credentials) {
  const typed = email.trim();
  const wrong = isEmail(typed) ? undefined : messages.EMAIL_INVALID;
  return {
    email: typed === '' ? messages.EMAIL_REQUIRED : wrong,
    password: password === '' ? messages.PASSWORD_REQUIRED : undefined,
  };
}

/** The sentence for a refused sign-in. */
function refusal(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 404 || error.status === 401) return messages.INCORRECT_CREDENTIALS;
    if (error.status === 429) {
      return error.retryAfter === null
        ? error.detail
        : say(messages.TOO_MANY_TRIES, { seconds: error.retryAfter });
    }
  }
  return explain(error) ?? messages.NON_HTTP_ERROR;
}

interface LoginScreenProps {
  /** Where a role lands after signing in. */
  home: (role: Role) => string;
}

/** P 2, 'Login screen'. Whoever is signed in already goes straight on. */
export function LoginScreen({ home }: LoginScreenProps) {
  const session = useSession();
  const state = useSessionState();
  const { lab } = useCapabilities();
  const phone = useScreen() === 'phone';
  const [capsLock, setCapsLock] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [values, setValues] = useState(BLANK);
  const [checking, setChecking] = useState(false);
  const [signingIn, setSigningIn] = useState(false);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errors = checking ? errorsOf(values) : null;

  const name = lab?.title ?? lab?.name ?? 'Lab Portal';
  useEffect(() => {
    document.title = `Login · ${name}`;
  }, [name]);

  useEffect(() => emailInput.current?.focus(), []);

  const [target] = useState(takeRememberedPath);
  const [draftsKept] = useState(takeKeptDrafts);
  if (state.status === 'signedIn') {
    return <Navigate to={target ?? home(state.user.role)} replace />;
  }

  const leftElsewhere = state.status === 'signedOut' && state.reason === 'leftElsewhere';
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (signingIn) return;
    const found = errorsOf(values);
    setChecking(true);
    if (found.email !== undefined || found.password !== undefined) {
      (found.email === undefined ? passwordInput : emailInput).current?.focus();
      return;
    }
    setFailure(null);
    setSigningIn(true);
    try {
      await session.signIn(values.email.trim(), values.password);
    } catch (error) {
      setChecking(false);
      setValues(({ email }) => ({ email, password: '' }));
      setFailure(refusal(error));
      passwordInput.current?.focus();
    } finally {
      setSigningIn(false);
    }
  };
  const watchCapsLock = (event: React.KeyboardEvent) =>
    setCapsLock(event.getModifierState('CapsLock'));

  return (
    <main className={styles['page']}>
      <form className={styles['card']} noValidate onSubmit={(event) => void submit(event)}>
        <div className={styles['brand']}>
          <img src={lab?.logo ?? '/favicon.svg'} alt="" height={48} />
          <h1>{name}</h1>
        </div>
        <p className={styles['prompt']}>{messages.LOGIN_PROMPT}</p>
        <div role="alert" className={styles['summary']}>
          {leftElsewhere ? (
            <Callout intent="primary" icon={<InfoSignIcon />}>
              {messages.SIGNED_OUT_ELSEWHERE} {draftsKept ? messages.DRAFT_KEPT : null}
            </Callout>
          ) : null}
          {failure === null ? null : (
            <Callout intent="danger" icon={<WarningSignIcon />}>
              {failure}
            </Callout>
          )}
          {capsLock ? (
            <Callout intent="warning" icon={<WarningSignIcon />}>
              {messages.CAPS_LOCK_ON}
            </Callout>
          ) : null}
        </div>
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="username"
          inputRef={emailInput}
          value={values.email}
          error={errors?.email}
          onChange={(email) => setValues({ ...values, email })}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          required
          autoComplete="current-password"
          inputRef={passwordInput}
          value={values.password}
          error={errors?.password}
          onChange={(password) => setValues({ ...values, password })}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
        />
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          loading={signingIn}
          className={styles['submit']}
        >
          Login
        </Button>
      </form>
      {phone ? null : (
        <p className={styles['contact']}>
          {[lab?.name, lab?.address, lab?.phone].filter(Boolean).join('  ·  ')}
        </p>
      )}
    </main>
  );
}
