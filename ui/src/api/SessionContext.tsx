import { createContext, use, useMemo, useSyncExternalStore } from 'react';

import { judge, mayEver, type Act, type Judged, type Role } from '../contract';
import { ApiError } from './problem';
import type { Capabilities, Profile, Session, SessionState } from './session';

interface SessionValue {
  session: Session;
  capabilities: Capabilities;
}

export const SessionContext = createContext<SessionValue | null>(null);

function useValue(): SessionValue {
  const value = use(SessionContext);
  if (value === null) throw new Error('SessionContext is missing above this component');
  return value;
}

export const useSession = (): Session => useValue().session;

export const useCapabilities = (): Capabilities => useValue().capabilities;

export function useSessionState(): SessionState {
  const { session } = useValue();
  return useSyncExternalStore(session.subscribe, session.state);
}

/** The signed-in person; only below the secured area. */
export function useProfile(): Profile {
  const { user } = useSessionState();
  if (user === null) throw new ApiError(401);
  return user;
}

export function useHasRole(...roles: Role[]): boolean {
  const { user } = useSessionState();
  return user !== null && roles.includes(user.role);
}

const NOBODY = { allowed: false, reason: null };

/** Asks the portal's rules about the signed-in person. */
export function usePermissions() {
  const role = useSessionState().user?.role;
  return useMemo(
    () => ({
      /** Whether the person may do this at all; to which records, the records say. */
      may: (act: Act) => role !== undefined && mayEver(act, role),
      /** Whether the person may do this to a record as a list shows it, and why not. */
      judge: <A extends Act>(
        act: A,
        record: Judged<A>,
        words?: Readonly<Record<string, string | number>>,
      ) => (role === undefined ? NOBODY : judge(act, role, record, words)),
    }),
    [role],
  );
}
