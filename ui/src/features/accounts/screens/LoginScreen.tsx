import { Button, Callout } from '@blueprintjs/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Navigate } from 'react-router';
import { z } from 'zod';

import { ApiError, explain, useCapabilities, useSession, useSessionState } from '../../../api';
import { Bound, TextField, useScreen } from '../../../components';
import { InfoSignIcon, WarningSignIcon } from '../../../components/icons';
import { messages, say, type Role } from '../../../contract';
import { takeKeptDrafts } from '../../requisitions/keptDrafts';
import { takeRememberedPath } from '../returnPath';
import styles from './LoginScreen.module.css';

const schema = z.object({
  email: z.string().trim().min(1, messages.EMAIL_REQUIRED).pipe(z.email(messages.EMAIL_INVALID)),
  password: z.string().min(1, messages.PASSWORD_REQUIRED),
});

type Credentials = z.infer<typeof schema>;

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
  const form = useForm<Credentials>({
    resolver: zodResolver(schema),
    defaultValues: { email: '', password: '' },
  });

  const name = lab?.title ?? lab?.name ?? 'Lab Portal';
  useEffect(() => {
    document.title = `Login · ${name}`;
  }, [name]);

  useEffect(() => form.setFocus('email'), [form]);

  const [target] = useState(takeRememberedPath);
  const [draftsKept] = useState(takeKeptDrafts);
  if (state.status === 'signedIn') {
    return <Navigate to={target ?? home(state.user.role)} replace />;
  }

  const leftElsewhere = state.status === 'signedOut' && state.reason === 'leftElsewhere';
  const submit = form.handleSubmit(async ({ email, password }) => {
    setFailure(null);
    try {
      await session.signIn(email.trim(), password);
    } catch (error) {
      form.setValue('password', '');
      setFailure(refusal(error));
      form.setFocus('password');
    }
  });
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
        <Bound control={form.control} name="email">
          {(field) => (
            <TextField {...field} label="Email" type="email" required autoComplete="username" />
          )}
        </Bound>
        <Bound control={form.control} name="password">
          {(field) => (
            <TextField
              {...field}
              label="Password"
              type="password"
              required
              autoComplete="current-password"
              onKeyDown={watchCapsLock}
              onKeyUp={watchCapsLock}
            />
          )}
        </Bound>
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          loading={form.formState.isSubmitting}
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
