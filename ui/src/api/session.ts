import type { DeviceWire, Wire } from '../contract';
import { setLabClock } from '../lib/labClock';
import { runExclusively } from '../lib/locks';
import { api, mintIdempotencyKey, setCredentials } from './http';
import { findPendingSignOut, forgetPendingSignOut, notePendingSignOut } from './pendingSignOut';
import { ApiError } from './problem';

/** The lab whose portal this is; shown at sign-in, in the header, and in the footers. */
export type Lab = Wire<'PublicLab'>;

/** The portal's address, and why it cannot be reached, in words. */
export type PortalConnection = DeviceWire<'PortalConnection'>;

type DesktopCapabilities = DeviceWire<'Capabilities'>;

/** What the host that serves this page supports. Only the desktop app has the optional parts. */
export interface Capabilities
  extends
    Omit<Wire<'PortalCapabilities'>, 'host' | 'lab'>,
    Partial<Pick<DesktopCapabilities, 'namesInTitles' | 'workstation' | 'portal'>> {
  host: Wire<'PortalCapabilities'>['host'] | DesktopCapabilities['host'];
  /** Null while the desktop app cannot reach the portal. */
  lab: Lab | null;
}

/** The signed-in user (P 3, 'Profile'). */
export type Profile = Wire<'Profile'>;

/** On the desktop, the sidecar keeps the token. */
type SignInResponse = Pick<Wire<'SignedIn'>, 'user'> & { token: string | null };

/** Why nobody is signed in. Users who neither signed out here nor got a warning see the reason. */
export type SignedOutReason = 'new' | 'left' | 'leftElsewhere' | 'idle' | 'expired';

export type SessionState =
  | { status: 'starting'; user: null }
  /** `lastUserId` is the user whose session ended; null if nobody was signed in here. */
  | { status: 'signedOut'; user: null; reason: SignedOutReason; lastUserId: string | null }
  | { status: 'signedIn'; user: Profile };

type TabMessage = 'signedIn' | 'left' | 'idle';

const APPLICATION_ID = 'portal';
const cookieTransport = { 'X-Refresh-Transport': 'cookie' };

/**
 * Posts to the authentication provider. The refresh token stays in its HttpOnly cookie. Returns
 * null if there is no session to renew.
 */
async function authenticate(path: string, body: unknown): Promise<SignInResponse | null> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': mintIdempotencyKey(),
        ...cookieTransport,
      },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0);
  }
  if (!response.ok) throw await ApiError.from(response);
  return response.status === 204 ? null : ((await response.json()) as SignInResponse);
}

/** Refresh tokens rotate, so two tabs must not use the same one at once. */
const REFRESH_LOCK = 'portal-refresh';

const RENEWED_BEFORE_MS = 5_000;

/**
 * Returns for how many milliseconds a token is valid, whatever this computer's clock says. A token
 * without these times counts as valid until it is rejected.
 */
function findLifetime(token: string | null): number {
  try {
    const payload = (token ?? '').split('.')[1] ?? '';
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const { iat, exp } = JSON.parse(text) as { iat?: number; exp?: number };
    return iat === undefined || exp === undefined ? Infinity : (exp - iat) * 1_000;
  } catch {
    return Infinity;
  }
}

/**
 * The current sign-in. The access token is in memory only; on the desktop it is null and the
 * sidecar adds the credential. Signing out also ends the session in the other tabs.
 */
export class Session {
  private current: SessionState = { status: 'starting', user: null };
  private token: string | null = null;
  /** When the token expires, on this computer's clock. */
  private expiresAt = Infinity;
  private renewal: Promise<boolean> | null = null;
  /** Counts sign-ins and sign-outs: a renewal that began before one of them no longer counts. */
  private generation = 0;
  private readonly listeners = new Set<() => void>();
  private readonly tabs =
    'BroadcastChannel' in globalThis ? new BroadcastChannel('portal-session') : null;

  constructor() {
    setCredentials({
      getAuthorization: () => (this.token ? `JWT ${this.token}` : null),
      renew: () => this.renew(),
      isExpired: () => this.token !== null && Date.now() >= this.expiresAt,
      isSignedOut: () => this.current.status === 'signedOut',
    });
    this.tabs?.addEventListener('message', (event: MessageEvent<TabMessage>) => {
      if (event.data === 'left') this.clearSession('leftElsewhere');
      else if (event.data === 'idle') this.clearSession('idle');
      else if (this.current.status === 'signedOut') void this.renew();
      // The other tab's sign-in replaced this session, so its token would be rejected.
      else this.expiresAt = 0;
    });
  }

  readonly getState = (): SessionState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Resumes the session stored in the refresh cookie or the sidecar's vault, unless the user has
   * signed out of it. Throws `ApiError` while the portal cannot say whether there is a session.
   */
  async start(): Promise<void> {
    const pendingReason = findPendingSignOut();
    if (pendingReason !== null) {
      this.clearSession(pendingReason);
      await this.endAtPortal();
      return;
    }
    const isRenewed = await this.renew();
    if (!isRenewed && this.current.status === 'starting') throw new ApiError(0);
  }

  /**
   * Throws `ApiError`: 404 for wrong credentials, 429 while the account is locked, 403 if the code
   * of the second factor is missing or wrong.
   */
  async signIn(email: string, password: string, code?: string): Promise<void> {
    const credentials = { loginId: email, password, applicationId: APPLICATION_ID, code };
    const answer = await authenticate('/auth/login', credentials);
    if (answer === null) throw new ApiError(401);
    // The new session has replaced the one that the pending sign-out was about.
    forgetPendingSignOut();
    this.generation += 1;
    this.startSession(answer);
    this.tabs?.postMessage('signedIn' satisfies TabMessage);
  }

  /** Confirms the password before signing: a new sign-in replaces the current session. */
  async confirmPassword(password: string, code?: string): Promise<void> {
    if (this.current.user === null) throw new ApiError(401);
    await this.signIn(this.current.user.email, password, code);
  }

  async signOut(reason: 'left' | 'idle'): Promise<void> {
    const authorization = this.token ? { Authorization: `JWT ${this.token}` } : undefined;
    this.clearSession(reason);
    this.tabs?.postMessage(reason satisfies TabMessage);
    // The session ends here even without the portal. The next start then ends it at the portal.
    notePendingSignOut(reason);
    await this.endAtPortal(authorization);
  }

  /**
   * Ends the session here because another window ended it. That window may have a new user by now.
   */
  handleRemoteSignOut(): void {
    this.clearSession('leftElsewhere');
  }

  /** Saves the user's own name or signature image, and updates the profile from the response. */
  async updateProfile(change: {
    firstName?: string;
    lastName?: string;
    data?: { signImage: string | null };
  }): Promise<void> {
    const user = this.current.user;
    if (user === null) throw new ApiError(401);
    const answer = await api.put<Wire<'ProfileAnswer'>>(`/auth/user/${user.id}`, {
      body: { user: { firstName: user.firstName, lastName: user.lastName, ...change } },
    });
    this.publish({ status: 'signedIn', user: answer.user });
  }

  /**
   * Renews the session, one renewal at a time across all tabs. Returns false if it has ended.
   */
  renew(): Promise<boolean> {
    this.renewal ??= runExclusively(REFRESH_LOCK, async () => {
      const generation = this.generation;
      try {
        const answer = await authenticate('/auth/jwt/refresh', {});
        if (generation !== this.generation) return this.current.status === 'signedIn';
        if (answer === null) throw new ApiError(401);
        this.startSession(answer);
        return true;
      } catch (error) {
        if (generation !== this.generation) return this.current.status === 'signedIn';
        const isRejected = error instanceof ApiError && [400, 401, 403, 404].includes(error.status);
        if (isRejected) this.clearSession(this.current.status === 'signedIn' ? 'expired' : 'new');
        return false;
      }
    }).finally(() => {
      this.renewal = null;
    });
    return this.renewal;
  }

  /** Keeps the session alive, and notices when it was ended elsewhere (P 4, keepalive). */
  async keepAlive(): Promise<void> {
    if (this.current.status !== 'signedIn') return;
    if (this.token !== null && Date.now() >= this.expiresAt) {
      await this.renew();
      return;
    }
    try {
      await api.get('/auth/jwt/validate');
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) await this.renew();
    }
  }

  private async endAtPortal(authorization?: Record<string, string>): Promise<void> {
    try {
      const { status } = await fetch('/auth/logout', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { ...cookieTransport, 'Idempotency-Key': mintIdempotencyKey(), ...authorization },
      });
      if (status < 500) forgetPendingSignOut();
    } catch {
      // Still unconfirmed.
    }
  }

  private startSession(answer: SignInResponse): void {
    this.token = answer.token;
    this.expiresAt = Date.now() + findLifetime(answer.token) - RENEWED_BEFORE_MS;
    this.publish({ status: 'signedIn', user: answer.user });
  }

  private clearSession(reason: SignedOutReason): void {
    this.token = null;
    this.generation += 1;
    if (this.current.status === 'signedOut') return;
    const lastUserId = this.current.user?.id ?? null;
    this.publish({ status: 'signedOut', user: null, reason, lastUserId });
  }

  private publish(state: SessionState): void {
    this.current = state;
    for (const listener of this.listeners) listener();
  }
}

/** Loads what the host supports, and sets the lab's clock. */
export async function loadCapabilities(): Promise<Capabilities> {
  const capabilities = await api.get<Capabilities>('/capabilities');
  if (capabilities.lab !== null) setLabClock(capabilities.lab);
  return capabilities;
}
