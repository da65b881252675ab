import { limits, messages, say, type Wire } from '../contract';
import { formatWait } from '../lib/quantities';

/** The RFC 9457 problem document of a failed request; a proxy may answer with another one. */
type Problem = Partial<Wire<'Problem'>>;

/** An error of one field; `field` is the wire name (`tests.0.id`). */
export type FieldError = Wire<'Problem'>['errors'][number];

/** The status of a request that got no response. */
export const NO_RESPONSE = 0;

/** The portal rejected the request, or could not be reached (`status` is 0). */
export class ApiError extends Error {
  readonly status: number;
  /** Stable code of the problem, such as `stale_version`; empty without a response. */
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Who saved the newer version of the record; null if the portal does not say. */
  readonly updatedBy: string | null;
  /** Seconds to wait before the next attempt, if the portal named them. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Problem = {}, retryAfter: number | null = null) {
    super(problem.detail ?? `status ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code ?? '';
    this.detail = problem.detail ?? '';
    this.errors = problem.errors ?? [];
    this.updatedBy = problem.updatedBy ?? null;
    this.retryAfter = retryAfter;
  }

  static async from(response: Response): Promise<ApiError> {
    const seconds = Number(response.headers.get('Retry-After'));
    const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null;
    try {
      return new ApiError(response.status, (await response.json()) as Problem, retryAfter);
    } catch {
      return new ApiError(response.status, {}, retryAfter);
    }
  }
}

/** Returns how long to wait after too many tries (429), or the portal's own text. */
export const explainWait = ({ retryAfter, detail }: ApiError): string =>
  retryAfter === null ? detail : say(messages.TOO_MANY_TRIES, { wait: formatWait(retryAfter) });

const NOT_FOUND = 404;

/** Statuses that the calling screen explains itself (DECISIONS, 'Errors'). */
const EXPLAINED_BY_SCREEN = new Set([401, 403, 412, 413, 415, 424, 429]);

const SENTENCES: Readonly<Record<number, string>> = {
  400: messages.VALIDATION_ERROR,
  404: messages.NOT_FOUND,
  408: messages.GATEWAY_TIMEOUT,
  409: messages.CONFLICT,
  500: messages.INTERNAL_ERROR,
  503: messages.UNAVAILABLE,
  504: messages.GATEWAY_TIMEOUT,
};

/**
 * Returns the sentence to show for a failure (P 8), or null when the calling screen explains it.
 * Conflicts and unavailable printers use the portal's own text, because it names the record.
 */
export function explainError(error: unknown): string | null {
  if (!(error instanceof ApiError)) return messages.NON_HTTP_ERROR;
  if (error.status === NO_RESPONSE) {
    return navigator.onLine ? messages.NO_CONNECTION : messages.OFFLINE;
  }
  if (EXPLAINED_BY_SCREEN.has(error.status)) return null;
  const isSpecific = [409, 503].includes(error.status) || (error.status === 400 && error.detail);
  if (isSpecific && error.detail && error.errors.length === 0) return error.detail;
  return SENTENCES[error.status] ?? messages.CRITICAL_ERROR;
}

/**
 * Like `explainError`, but returns a sentence for every status.
 * @param isReloaded whether the caller reloads a record that has changed meanwhile
 */
export function describeError(error: unknown, isReloaded = false): string {
  // The caller has no field beside which it could show the portal's field error.
  if (error instanceof ApiError && error.errors[0] && [400, 409].includes(error.status)) {
    return error.errors[0].message;
  }
  const sentence = explainError(error);
  if (sentence !== null) return sentence;
  const problem = error as ApiError;
  switch (problem.status) {
    case 401:
      return messages.SESSION_EXPIRED_GRID;
    case 403:
      return messages.FORBIDDEN;
    case 412:
      return describeStaleVersion(problem, isReloaded);
    case 429:
      return problem.detail || messages.SERVERS_TROUBLE;
    default:
      return problem.detail || messages.SERVERS_TROUBLE;
  }
}

function describeStaleVersion({ detail, updatedBy }: ApiError, isReloaded: boolean): string {
  // In a bulk action the detail names the record that changed.
  const sentence =
    isReloaded && detail === messages.VERSION_STALE ? messages.VERSION_RELOADED : detail;
  return updatedBy === null
    ? sentence || messages.VERSION_CONFLICT
    : `${sentence} ${say(messages.VERSION_SAVED_BY, { name: updatedBy })}`;
}

/** Returns the portal's message about a field; undefined for other failures. */
export const findFieldError = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError
    ? error.errors.find((fault) => fault.field === field)?.message
    : undefined;

/** Whether the record has changed since it was read, so that the user must look at it again. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && [409, 412].includes(error.status);
}

/** Whether the portal could not be reached. On desktops the sidecar answers for it. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === NO_RESPONSE || error.code === 'portal_unreachable';
}

/** Whether a failed read is worth another attempt: the portal was busy or out of reach. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && [NO_RESPONSE, 408, 502, 503, 504].includes(error.status);
}

export const READ_RETRIES: number = limits.READ_RETRIES;

/** Whether the record is gone, or the user no longer sees it. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.status === NOT_FOUND;
