import type { Wire } from '../contract';

/** Disables an action without permission, and says why. */
export const toActionState = ({ allowed, reason }: Wire<'Permission'>) => ({
  disabled: !allowed,
  reason: reason ?? undefined,
});
