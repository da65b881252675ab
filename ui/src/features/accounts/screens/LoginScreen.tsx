import { Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, Navigate } from 'react-router';

import {
  ApiError,
  explainError,
  explainWait,
  useSession,
  useSessionState,
  type SignedOutReason,
} from '../../../api';
import { CodeField } from '../../../components/fields/CodeField';
import { TextField } from '../../../components/fields/TextField';
import { InfoSignIcon, WarningSignIcon } from '../../../components/icons';
import { messages, say, type Role } from '../../../contract';
import { isEmail } from '../../../lib/email';
import { IDLE_SECONDS } from '../../../lib/idleTime';
import { paths } from '../../../lib/paths';
import { clearStoredDrafts } from '../../../api/storedDrafts';
import { EntryPage, EntrySubmit } from '../components/EntryPage';
import styles from '../components/EntryPage.module.css';
import { findRememberedPath, findReturnPath, forgetPath } from '../returnPath';

interface Credentials {
  email: string;
  password: string;
  /** The code of the second factor; null until the portal asks for it. */
  code: string | null;
}

const BLANK: Credentials = { email: '', password: '', code: null };

/** Validates each field. The form is too small for react-hook-form. */
function validateCredentials({ email, password, code }: Credentials) {
  const trimmedEmail = email.trim();
  const emailError = isEmail(trimmedEmail) ? undefined : messages.EMAIL_INVALID;
  return {
    email: trimmedEmail === '' ? messages.EMAIL_REQUIRED : emailError,
    password: password === '' ? messages.PASSWORD_REQUIRED : undefined,
    code: code?.trim() === '' ? messages.SECOND_FACTOR_CODE_REQUIRED : undefined,
  };
}

/** Whether the password was right, and the code of the second factor is missing or wrong. */
const isAboutCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code.startsWith('second_factor_');

/** Returns the message for a failed sign-in. */
function explainFailure(error: unknown): string {
  if (error instanceof ApiError) {
    if (isAboutCode(error)) return error.detail;
    if (error.status === 404 || error.status === 401) return messages.INCORRECT_CREDENTIALS;
    if (error.status === 429) return explainWait(error);
  }
  return explainError(error) ?? messages.NON_HTTP_ERROR;
}

const IDLE_MINUTES = Math.round(IDLE_SECONDS / 60);

/** Returns why the session ended, unless the user ended it here. */
function explainSignOut(reason: SignedOutReason): string | null {
  if (reason === 'leftElsewhere') return messages.SIGNED_OUT_ELSEWHERE;
  if (reason === 'idle') return say(messages.IDLE_LOGGED_OUT, { minutes: IDLE_MINUTES });
  return reason === 'expired' ? messages.SESSION_EXPIRED : null;
}

interface LoginScreenProps {
  /** Returns where a role goes after signing in. */
  getHome: (role: Role) => string;
  /** What people should know about this workstation, below the form. */
  notes?: ReactNode;
}

/** The login screen (P 2). A signed-in user is redirected. */
export function LoginScreen({ getHome, notes }: LoginScreenProps) {
  const session = useSession();
  const state = useSessionState();
  const [isCapsLockOn, setIsCapsLockOn] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isQuestion, setIsQuestion] = useState(false);
  const [values, setValues] = useState(BLANK);
  const [showsErrors, setShowsErrors] = useState(false);
  const [isSigningIn, setIsSigningIn] = useState(false);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const asksForCode = values.code !== null;
  // The portal asks for the code after the password, so the field appears then.
  useEffect(() => {
    if (asksForCode) codeInput.current?.focus();
  }, [asksForCode]);
  const errors = showsErrors ? validateCredentials(values) : null;

  useEffect(() => emailInput.current?.focus(), []);
  const isSignedIn = state.status === 'signedIn';
  useEffect(() => {
    if (isSignedIn) forgetPath();
  }, [isSignedIn]);

  const [rememberedPath] = useState(findRememberedPath);
  const [hasStoredDrafts] = useState(clearStoredDrafts);
  if (state.status === 'signedIn') {
    const target = findReturnPath(rememberedPath, state.user.id);
    // A search that was open at that address continues.
    const historyState = target === null ? null : { continues: true };
    return <Navigate to={target ?? getHome(state.user.role)} replace state={historyState} />;
  }

  const reason = state.status === 'signedOut' ? explainSignOut(state.reason) : null;
  const submit = async () => {
    if (isSigningIn) return;
    const currentErrors = validateCredentials(values);
    setShowsErrors(true);
    if (Object.values(currentErrors).some((error) => error !== undefined)) {
      const secondInput = currentErrors.password === undefined ? codeInput : passwordInput;
      const firstInvalidInput = currentErrors.email === undefined ? secondInput : emailInput;
      firstInvalidInput.current?.focus();
      return;
    }
    setFailure(null);
    setIsSigningIn(true);
    try {
      await session.signIn(values.email.trim(), values.password, values.code?.trim());
    } catch (error) {
      setShowsErrors(false);
      setFailure(explainFailure(error));
      // The portal asks for the code after the right password: nothing has failed.
      setIsQuestion(error instanceof ApiError && error.code === 'second_factor_required');
      if (isAboutCode(error)) {
        setValues((current) => ({ ...current, code: '' }));
        codeInput.current?.focus();
      } else {
        setValues(({ email }) => ({ email, password: '', code: null }));
        passwordInput.current?.focus();
      }
    } finally {
      setIsSigningIn(false);
    }
  };
  const watchCapsLock = (event: React.KeyboardEvent) =>
    setIsCapsLockOn(event.getModifierState('CapsLock'));

  return (
    <EntryPage title="Login" prompt={messages.LOGIN_PROMPT} onSubmit={submit}>
      <div role="alert" className={styles['summary']}>
        {reason !== null ? (
          <Callout intent="primary" icon={<InfoSignIcon />}>
            {reason} {hasStoredDrafts ? messages.DRAFT_KEPT : null}
          </Callout>
        ) : null}
        {failure === null ? null : (
          <Callout
            intent={isQuestion ? 'primary' : 'danger'}
            icon={isQuestion ? <InfoSignIcon /> : <WarningSignIcon />}
          >
            {failure}
          </Callout>
        )}
        {isCapsLockOn ? (
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
      {values.code === null ? null : (
        <CodeField
          value={values.code}
          error={errors?.code}
          inputRef={codeInput}
          onChange={(code) => setValues({ ...values, code })}
        />
      )}
      <EntrySubmit label="Login" isRunning={isSigningIn} />
      <div className={styles['links']}>
        <Link to={paths.passwordRecovery}>Can&apos;t login?</Link>
        <Link to={paths.patientSignUp}>Patient Sign Up</Link>
      </div>
      {notes}
    </EntryPage>
  );
}
