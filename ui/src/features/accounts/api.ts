import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';

/** Asks for an e-mail with a link to a new password (P 7). */
export const requestRecoveryLink = (email: string, idempotencyKey: string) =>
  api.post<undefined>('/auth/user/forgot-password', {
    body: {
      loginId: email,
      applicationId: 'portal',
      sendForgotPasswordEmail: true,
    } satisfies Wire<'ForgottenPassword'>,
    idempotencyKey,
  });

/** Creates an account for the patient whose record matches (P 7). */
export const signUpPatient = (
  values: Omit<Wire<'SignUp'>, 'registration'>,
  idempotencyKey: string,
) =>
  api.post<Wire<'SignedUp'>>('/api/system/anonymous-users/sign-up/portal', {
    body: {
      ...values,
      registration: { applicationId: 'portal', roles: ['Patient'] },
    } satisfies Wire<'SignUp'>,
    idempotencyKey,
  });

/** Stores a new password with the secret of a mailed link. */
export const resetPassword = (token: string, password: string, idempotencyKey: string) =>
  api.post<undefined>('/auth/user/reset-password', {
    body: { changePasswordId: token, password } satisfies Wire<'NewPassword'>,
    idempotencyKey,
  });

/** Changes the password of the signed-in user. */
export const changePassword = (email: string, currentPassword: string, password: string) =>
  api.post<undefined>('/auth/user/change-password', {
    body: { loginId: email, currentPassword, password } satisfies Wire<'PasswordChange'>,
  });

export type OpenSession = Wire<'OpenSession'>;

/** The user's own open sessions, the current one first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => api.get<OpenSession[]>('/auth/sessions', { signal }),
  gcTime: 0,
  meta: { quiet: true },
});

export const endSession = (id: string) => api.delete(`/auth/sessions/${id}`);

export const endOtherSessions = () => api.delete('/auth/sessions');

/** Whether the second factor is on, and how many recovery codes are left. */
export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => api.get<Wire<'SecondFactorState'>>('/auth/second-factor', { signal }),
  gcTime: 0,
  meta: { quiet: true },
});

export type SecondFactorSetup = Wire<'SecondFactorSetup'>;

/** Begins the setup: returns the key for an authenticator app. */
export const beginSecondFactor = (password: string) =>
  api.post<SecondFactorSetup>('/auth/second-factor/setup', {
    body: { password } satisfies Wire<'OwnPasswordOnly'>,
  });

/** Turns the second factor on; returns the recovery codes. */
export const confirmSecondFactor = (code: string) =>
  api.post<Wire<'RecoveryCodes'>>('/auth/second-factor/confirm', {
    body: { code } satisfies Wire<'OwnCode'>,
  });

export const replaceRecoveryCodes = (password: string, code: string) =>
  api.post<Wire<'RecoveryCodes'>>('/auth/second-factor/recovery-codes', {
    body: { password, code } satisfies Wire<'BothFactors'>,
  });

export const turnOffSecondFactor = (password: string, code: string) =>
  api.post<undefined>('/auth/second-factor/turn-off', {
    body: { password, code } satisfies Wire<'BothFactors'>,
  });

export function refreshAccount(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['account'] });
}
