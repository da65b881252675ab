import type { Wire } from '../contract';
import { api, newIdempotencyKey, takeCredentialsFrom } from './http';
import { ApiError } from './problem';

/** The lab whose portal this is; shown on sign-in, in the header and the footers. */
export interface Lab {
  title: string;
  name: string;
  address: string | null;
  phone: string | null;
  email: string | null;
  fax: string | null;
  url: string | null;
  /** Data URL. */
  logo: string | null;
}

/** What the host that serves this page can do. */
export interface Capabilities {
  host: 'server' | 'desktop';
  version: string;
  canPrintLabels: boolean;
  canOpenWindows: boolean;
  keepsPreferences: boolean;
  keepsCredentials: boolean;
  lab: Lab | null;
}

/** The person who is signed in (P 3, 'Profile'). */
export type Profile = Wire<'Profile'>;

interface SignedIn {
  token: string | null;
  user: Profile;
}

/** Why nobody is signed in. Who did not do it here, and was not warned, is told. */
export type SignedOutReason = 'new' | 'left' | 'leftElsewhere' | 'idle' | 'expired';

export type SessionState =
  | { status: 'starting'; user: null }
  | { status: 'signedOut'; user: null; reason: SignedOutReason }
  | { status: 'signedIn'; user: Profile };

type TabMessage = 'signedIn' | 'left' | 'idle';

const APPLICATION_ID = 'portal';
const cookieTransport = { 'X-Refresh-Transport': 'cookie' };

/** POST to the authentication provider; the refresh token stays in its HttpOnly cookie. */
async function authenticate(path: string, body: unknown): Promise<SignedIn> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': newIdempotencyKey(),
        ...cookieTransport,
      },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0);
  }
  if (!response.ok) throw await ApiError.from(response);
  return (await response.json()) as SignedIn;
}

/** Rotating refresh tokens must be used by one tab at a time. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request('portal-refresh', work) as Promise<T>;
}

/**
 * Who is signed in. The access token lives in this object's memory only; on the desktop it is
 * null and the sidecar adds the credential. Sign-out is told to the other tabs.
 */
export class Session {
  private current: SessionState = { status: 'starting', user: null };
  private token: string | null = null;
  private renewing: Promise<boolean> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly tabs =
    'BroadcastChannel' in globalThis ? new BroadcastChannel('portal-session') : null;

  constructor() {
    takeCredentialsFrom({
      authorization: () => (this.token ? `JWT ${this.token}` : null),
      renew: () => this.renew(),
    });
    this.tabs?.addEventListener('message', (event: MessageEvent<TabMessage>) => {
      if (event.data === 'left') this.forget('leftElsewhere');
      else if (event.data === 'idle') this.forget('idle');
      else if (this.current.status === 'signedOut') void this.renew();
    });
  }

  readonly state = (): SessionState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Resumes the session that the refresh cookie (or the sidecar's vault) still holds. */
  async start(): Promise<void> {
    if (!(await this.renew())) this.forget('new');
  }

  /** Throws `ApiError`: 404 for wrong credentials, 429 when locked for a while. */
  async signIn(email: string, password: string): Promise<void> {
    this.adopt(
      await authenticate('/auth/login', {
        loginId: email,
        password,
        applicationId: APPLICATION_ID,
      }),
    );
    this.tabs?.postMessage('signedIn' satisfies TabMessage);
  }

  /** Proves the person's presence again before signing; the new session replaces this one. */
  async confirmPassword(password: string): Promise<void> {
    if (this.current.user === null) throw new ApiError(401);
    await this.signIn(this.current.user.email, password);
  }

  async signOut(reason: 'left' | 'idle'): Promise<void> {
    const authorization = this.token ? { Authorization: `JWT ${this.token}` } : undefined;
    this.forget(reason);
    this.tabs?.postMessage(reason satisfies TabMessage);
    // The session is over here whether or not the portal hears of it.
    await fetch('/auth/logout', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { ...cookieTransport, 'Idempotency-Key': newIdempotencyKey(), ...authorization },
    }).catch(() => undefined);
  }

  /** Another window has ended the session; it may be somebody else's by now. */
  endedElsewhere(): void {
    this.forget('leftElsewhere');
  }

  /** Saves the person's own name or signature image and keeps the answer. */
  async updateProfile(change: {
    firstName?: string;
    lastName?: string;
    data?: { signImage: string | null };
  }): Promise<void> {
    const user = this.current.user;
    if (user === null) throw new ApiError(401);
    const answer = await api.put<{ user: Profile }>(`/auth/user/${user.id}`, {
      body: { user: { firstName: user.firstName, lastName: user.lastName, ...change } },
    });
    this.publish({ status: 'signedIn', user: answer.user });
  }

  /** One renewal at a time in this tab, and one tab at a time; false ends the session. */
  renew(): Promise<boolean> {
    this.renewing ??= alone(async () => {
      try {
        this.adopt(await authenticate('/auth/jwt/refresh', {}));
        return true;
      } catch (error) {
        const refused = error instanceof ApiError && [400, 401, 403, 404].includes(error.status);
        if (refused) this.forget(this.current.status === 'signedIn' ? 'expired' : 'new');
        return false;
      }
    }).finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  private adopt(answer: SignedIn): void {
    this.token = answer.token;
    this.publish({ status: 'signedIn', user: answer.user });
  }

  private forget(reason: SignedOutReason): void {
    this.token = null;
    if (this.current.status === 'signedOut') return;
    this.publish({ status: 'signedOut', user: null, reason });
  }

  private publish(state: SessionState): void {
    this.current = state;
    for (const listener of this.listeners) listener();
  }
}

export function loadCapabilities(): Promise<Capabilities> {
  return api.get<Capabilities>('/capabilities');
}
