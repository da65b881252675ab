import { readEvents } from './events';
import { ApiError, NO_ANSWER } from './problem';

type Scalar = string | number | boolean;
/** Query values; null, undefined and '' are left out, lists become repeated parameters. */
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** The version being changed; sent as `If-Match`. */
  version?: number | undefined;
  /** One per user action; the same key over all tries of that action. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Of a stream of events: the last one that was received. */
  lastEventId?: string | undefined;
}

/** How the client learns the credential; the session provides it. */
export interface Credentials {
  /** The `Authorization` value, or null when none is to be sent (signed out, desktop). */
  authorization(): string | null;
  /** Tries to renew the session once; false when it is over. */
  renew(): Promise<boolean>;
}

let credentials: Credentials = {
  authorization: () => null,
  renew: () => Promise.resolve(false),
};

export function takeCredentialsFrom(source: Credentials): void {
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

/** A fresh key for one user action that writes. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function headersFor(method: string, options: RequestOptions): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  const authorization = credentials.authorization();
  if (authorization) headers.set('Authorization', authorization);
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  if (WRITES.has(method)) {
    headers.set('Idempotency-Key', options.idempotencyKey ?? newIdempotencyKey());
  }
  if (options.version !== undefined) headers.set('If-Match', `"${options.version}"`);
  if (options.lastEventId) headers.set('Last-Event-ID', options.lastEventId);
  return headers;
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

async function attempt(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(NO_ANSWER);
  }
}

/** One request; a 401 renews the session and tries once more with the same key. */
async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const url = path + buildQuery(options.query);
  const headers = headersFor(method, options);
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;

  let response = await attempt(url, init);
  const mayRenew = response.status === 401 && !path.startsWith('/auth/');
  if (mayRenew && (await credentials.renew())) {
    const authorization = credentials.authorization();
    if (authorization) headers.set('Authorization', authorization);
    response = await attempt(url, init);
  }
  if (!response.ok) throw await ApiError.from(response);
  return response;
}

async function json<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (isAbort(error)) throw error;
    // An answer that breaks off on its way is none.
    throw new ApiError(NO_ANSWER);
  }
}

/** The portal's HTTP interface, same origin on both hosts. Failures are `ApiError`. */
export const api = {
  get: <T>(path: string, options: RequestOptions = {}) => json<T>('GET', path, options),
  post: <T>(path: string, options: RequestOptions = {}) => json<T>('POST', path, options),
  put: <T>(path: string, options: RequestOptions = {}) => json<T>('PUT', path, options),
  delete: (path: string, options: RequestOptions = {}) => json<undefined>('DELETE', path, options),
  blob: async (path: string, options: RequestOptions = {}): Promise<Blob> =>
    (await send(options.body === undefined ? 'GET' : 'POST', path, options)).blob(),
  /** Server-sent events as they come, until the portal ends the stream or `signal` does. */
  events: async function* (path: string, options: RequestOptions = {}) {
    const response = await send(options.body === undefined ? 'GET' : 'POST', path, options);
    yield* readEvents(response);
  },
};
