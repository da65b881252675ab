import { Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate } from 'react-router';

import {
  ApiError,
  explainError,
  useSession,
  useSessionState,
  type SignedOutReason,
} from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { TextField } from '../../../components/fields/TextField';
import { InfoSignIcon, WarningSignIcon } from '../../../components/icons';
import { limits, messages, say, type Role } from '../../../contract';
import { isEmail } from '../../../lib/email';
import { paths } from '../../../lib/paths';
import { clearStoredDrafts } from '../../../api/storedDrafts';
import { EntryPage } from '../components/EntryPage';
import styles from '../components/EntryPage.module.css';
import { consumeRememberedPath, findReturnPath } from '../returnPath';

interface Credentials {
  email: string;
  password: string;
}

const BLANK: Credentials = { email: '', password: '' };

/** Validates each field. The form is too small for react-hook-form. */
function validateCredentials({ email, password }: Credentials) {
  const trimmedEmail = email.trim();
  const emailError = isEmail(trimmedEmail) ? undefined : messages.EMAIL_INVALID;
  return {
    email: trimmedEmail === '' ? messages.EMAIL_REQUIRED : emailError,
    password: password === '' ? messages.PASSWORD_REQUIRED : undefined,
  };
}

/** Returns the message for a failed sign-in. */
function explainFailure(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 404 || error.status === 401) return messages.INCORRECT_CREDENTIALS;
    if (error.status === 429) {
      return error.retryAfter === null
        ? error.detail
        : say(messages.TOO_MANY_TRIES, { seconds: error.retryAfter });
    }
  }
  return explainError(error) ?? messages.NON_HTTP_ERROR;
}

const IDLE_MINUTES = Math.round(limits.IDLE_SECONDS / 60);

/** Returns why the session ended, unless the user ended it here. */
function explainSignOut(reason: SignedOutReason): string | null {
  if (reason === 'leftElsewhere') return messages.SIGNED_OUT_ELSEWHERE;
  if (reason === 'idle') return say(messages.IDLE_LOGGED_OUT, { minutes: IDLE_MINUTES });
  return reason === 'expired' ? messages.SESSION_EXPIRED : null;
}

interface LoginScreenProps {
  /** Returns where a role goes after signing in. */
  getHome: (role: Role) => string;
}

/** The login screen (P 2). A signed-in user is redirected. */
export function LoginScreen({ getHome }: LoginScreenProps) {
  const session = useSession();
  const state = useSessionState();
  const [capsLock, setCapsLock] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [values, setValues] = useState(BLANK);
  const [showsErrors, setShowsErrors] = useState(false);
  const [isSigningIn, setIsSigningIn] = useState(false);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errors = showsErrors ? validateCredentials(values) : null;

  useEffect(() => emailInput.current?.focus(), []);

  const [remembered] = useState(consumeRememberedPath);
  const [hasStoredDrafts] = useState(clearStoredDrafts);
  if (state.status === 'signedIn') {
    const target = findReturnPath(remembered, state.user.id);
    // A search that was open there continues.
    const returning = target === null ? null : { continues: true };
    return <Navigate to={target ?? getHome(state.user.role)} replace state={returning} />;
  }

  const reason = state.status === 'signedOut' ? explainSignOut(state.reason) : null;
  const submit = async () => {
    if (isSigningIn) return;
    const currentErrors = validateCredentials(values);
    setShowsErrors(true);
    if (currentErrors.email !== undefined || currentErrors.password !== undefined) {
      (currentErrors.email === undefined ? passwordInput : emailInput).current?.focus();
      return;
    }
    setFailure(null);
    setIsSigningIn(true);
    try {
      await session.signIn(values.email.trim(), values.password);
    } catch (error) {
      setShowsErrors(false);
      setValues(({ email }) => ({ email, password: '' }));
      setFailure(explainFailure(error));
      passwordInput.current?.focus();
    } finally {
      setIsSigningIn(false);
    }
  };
  const watchCapsLock = (event: React.KeyboardEvent) =>
    setCapsLock(event.getModifierState('CapsLock'));

  return (
    <EntryPage title="Login" prompt={messages.LOGIN_PROMPT} onSubmit={submit}>
      <div role="alert" className={styles['summary']}>
        {reason !== null ? (
          <Callout intent="primary" icon={<InfoSignIcon />}>
            {reason} {hasStoredDrafts ? messages.DRAFT_KEPT : null}
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
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
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
      <ActButton
        type="submit"
        intent="primary"
        size="large"
        fill
        isRunning={isSigningIn}
        className={styles['submit']}
      >
        Login
      </ActButton>
      <div className={styles['links']}>
        <Link to={paths.passwordRecovery}>Can&apos;t login?</Link>
        <Link to={paths.patientSignUp}>Patient Sign Up</Link>
      </div>
    </EntryPage>
  );
}
