import { createContext, use, useMemo, useSyncExternalStore } from 'react';

import { judge, mayEver, type Act, type JudgedFacts, type Role } from '../contract';
import { ApiError } from './problem';
import type { Capabilities, Profile, Session, SessionState } from './session';

interface SessionValue {
  session: Session;
  capabilities: Capabilities;
}

export const SessionContext = createContext<SessionValue | null>(null);

function useSessionContext(): SessionValue {
  const value = use(SessionContext);
  if (value === null) throw new Error('SessionContext is missing above this component');
  return value;
}

export const useSession = (): Session => useSessionContext().session;

export const useCapabilities = (): Capabilities => useSessionContext().capabilities;

export function useSessionState(): SessionState {
  const { session } = useSessionContext();
  return useSyncExternalStore(session.subscribe, session.getState);
}

/**
 * Returns the signed-in user. Use it only below the secured area; throws `ApiError` 401 elsewhere.
 */
export function useProfile(): Profile {
  const { user } = useSessionState();
  if (user === null) throw new ApiError(401);
  return user;
}

export function useHasRole(...roles: Role[]): boolean {
  const { user } = useSessionState();
  return user !== null && roles.includes(user.role);
}

const DENIED = { allowed: false, reason: null };

/** Evaluates the portal's permission rules for the signed-in user. */
export function usePermissions() {
  const role = useSessionState().user?.role;
  return useMemo(
    () => ({
      /**
       * Whether the user may ever do this. Each record says whether the user may do it to that
       * record.
       */
      may: (act: Act) => role !== undefined && mayEver(act, role),
      /** Whether the user may do this to a record shown in a list, and if not, why. */
      judge: <A extends Act>(
        act: A,
        record: JudgedFacts<A>,
        placeholders?: Readonly<Record<string, string | number>>,
      ) => (role === undefined ? DENIED : judge(act, role, record, placeholders)),
    }),
    [role],
  );
}
