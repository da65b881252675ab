import type { Wire } from '../contract';

/** Returns the props that disable an action without permission, and the reason. */
export const toActionState = ({ allowed, reason }: Wire<'Permission'>) => ({
  disabled: !allowed,
  reason: reason ?? undefined,
});
