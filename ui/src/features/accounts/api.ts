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

/** Stores a new password with the secret of a mailed link. */
export const resetPassword = (token: string, password: string) =>
  api.post<undefined>('/auth/user/reset-password', {
    body: { changePasswordId: token, password } satisfies Wire<'NewPassword'>,
  });
