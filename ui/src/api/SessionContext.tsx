import { createContext, use, useSyncExternalStore } from 'react';

import type { Role } from '../contract';
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
