import { reportAnswer, reportNoAnswer } from './connection';
import { readEvents } from './events';
import { ApiError, NO_RESPONSE } from './problem';

type Scalar = string | number | boolean;
/** Query values; null, undefined and '' are left out, lists become repeated parameters. */
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** The version being changed; sent as `If-Match`. */
  version?: number | undefined;
  /** One key per user action, repeated on every attempt of that action. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The last event received, when resuming an event stream. */
  lastEventId?: string | undefined;
}

/** Supplies the credential to the HTTP client. Implemented by the session. */
export interface Credentials {
  /** The `Authorization` value, or null when no header is sent (signed out, or on the desktop). */
  getAuthorization(): string | null;
  /** Tries to renew the session once. Returns false if the session has ended. */
  renew(): Promise<boolean>;
  /** Whether the credential has expired, so that a call with it would be rejected. */
  isExpired(): boolean;
  /** Whether nobody is signed in, so that only public calls are answered. */
  isSignedOut(): boolean;
}

let credentials: Credentials = {
  getAuthorization: () => null,
  renew: () => Promise.resolve(false),
  isExpired: () => false,
  isSignedOut: () => false,
};

export function setCredentials(source: Credentials): void {
  credentials = source;
}

export function buildQuery(query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === '') continue;
    const values = typeof value === 'object' ? value : [value];
    for (const item of values) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return text ? `?${text}` : '';
}

/** Returns a new key for one user action that writes. */
export function mintIdempotencyKey(): string {
  return crypto.randomUUID();
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function buildHeaders(method: string, options: RequestOptions): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  const authorization = credentials.getAuthorization();
  if (authorization) headers.set('Authorization', authorization);
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  if (WRITES.has(method)) {
    const key = options.idempotencyKey ?? mintIdempotencyKey();
    headers.set('Idempotency-Key', key);
    // All attempts of one action have one id in the portal's log, jobs, audit rows, and e-mails.
    headers.set('X-Request-ID', key);
  }
  if (options.version !== undefined) headers.set('If-Match', `"${options.version}"`);
  if (options.lastEventId) headers.set('Last-Event-ID', options.lastEventId);
  return headers;
}

const UNAVAILABLE = 503;
const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

const isPortalPath = (path: string) => path.startsWith('/api/') || path.startsWith('/auth/');

async function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    if (isPortalPath(url) && response.status !== UNAVAILABLE) reportAnswer();
    return response;
  } catch (error) {
    if (isAbort(error)) throw error;
    reportNoAnswer();
    throw new ApiError(NO_RESPONSE);
  }
}

/** Renews an expired session first: the browser logs every rejected call as an error. */
async function renewExpired(): Promise<void> {
  if (!credentials.isExpired()) return;
  if (!(await credentials.renew()) && credentials.isSignedOut()) throw new ApiError(401);
}

/** Sends one request. A 401 renews the session and repeats the request once with the same key. */
async function sendRequest(
  method: string,
  path: string,
  options: RequestOptions,
): Promise<Response> {
  const url = path + buildQuery(options.query);
  if (path.startsWith('/api/')) await renewExpired();
  const headers = buildHeaders(method, options);
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;

  let response = await fetchResponse(url, init);
  const canRenew = response.status === 401 && !path.startsWith('/auth/');
  if (canRenew && (await credentials.renew())) {
    const authorization = credentials.getAuthorization();
    if (authorization) headers.set('Authorization', authorization);
    response = await fetchResponse(url, init);
  }
  if (!response.ok) {
    const error = await ApiError.from(response);
    // The desktop's sidecar answers for a portal that it cannot reach.
    if (error.code === 'portal_unreachable') reportNoAnswer();
    throw error;
  }
  return response;
}

async function requestJson<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const response = await sendRequest(method, path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (isAbort(error)) throw error;
    // A response cut off midway counts as no response.
    throw new ApiError(NO_RESPONSE);
  }
}

/** The portal's HTTP interface, same origin on both hosts. Failures are `ApiError`. */
export const api = {
  get: <T>(path: string, options: RequestOptions = {}) => requestJson<T>('GET', path, options),
  post: <T>(path: string, options: RequestOptions = {}) => requestJson<T>('POST', path, options),
  put: <T>(path: string, options: RequestOptions = {}) => requestJson<T>('PUT', path, options),
  delete: (path: string, options: RequestOptions = {}) =>
    requestJson<undefined>('DELETE', path, options),
  blob: async (path: string, options: RequestOptions = {}): Promise<Blob> =>
    (await sendRequest(options.body === undefined ? 'GET' : 'POST', path, options)).blob(),
  /**
   * Yields server-sent events until the portal or `signal` ends the stream. Throws a 401 while
   * nobody is signed in.
   */
  events: async function* (path: string, options: RequestOptions = {}) {
    if (credentials.isSignedOut()) throw new ApiError(401);
    const response = await sendRequest(options.body === undefined ? 'GET' : 'POST', path, options);
    yield* readEvents(response);
  },
};
