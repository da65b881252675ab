import { api } from '../../api';
import type { Wire } from '../../contract';

/** Asks for an e-mail with a link to a new password (P 7). */
export const requestRecoveryLink = (email: string) =>
  api.post<undefined>('/auth/user/forgot-password', {
    body: {
      loginId: email,
      applicationId: 'portal',
      sendForgotPasswordEmail: true,
    } satisfies Wire<'ForgottenPassword'>,
  });

/** Creates an account for the patient whose record matches (P 7). */
export const signUpPatient = (values: Omit<Wire<'SignUp'>, 'registration'>) =>
  api.post<Wire<'SignedUp'>>('/api/system/anonymous-users/sign-up/portal', {
    body: {
      ...values,
      registration: { applicationId: 'portal', roles: ['Patient'] },
    } satisfies Wire<'SignUp'>,
  });

/** Stores a new password with the secret of a mailed link. */
export const resetPassword = (token: string, password: string) =>
  api.post<undefined>('/auth/user/reset-password', {
    body: { changePasswordId: token, password } satisfies Wire<'NewPassword'>,
  });
