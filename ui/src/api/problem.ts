import { limits, messages } from '../contract';

/** What is wrong with one field; `field` is the wire name (`tests.0.id`). */
export interface FieldError {
  field: string;
  message: string;
}

/** The RFC 9457 document every refused request answers with. */
interface Problem {
  status?: number;
  code?: string;
  detail?: string;
  errors?: FieldError[];
}

/** Status of a request that never reached the portal. */
export const NO_ANSWER = 0;

/** The portal refused, or could not be reached (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  /** Stable name of the problem, such as `stale_version`; empty when there was no answer. */
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Seconds to wait before the next try, when the portal named them. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Problem = {}, retryAfter: number | null = null) {
    super(problem.detail ?? `status ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code ?? '';
    this.detail = problem.detail ?? '';
    this.errors = problem.errors ?? [];
    this.retryAfter = retryAfter;
  }

  static async from(response: Response): Promise<ApiError> {
    const after = Number(response.headers.get('Retry-After'));
    const retryAfter = Number.isFinite(after) && after > 0 ? after : null;
    try {
      return new ApiError(response.status, (await response.json()) as Problem, retryAfter);
    } catch {
      return new ApiError(response.status, {}, retryAfter);
    }
  }
}

/** Statuses that the screen which asked explains itself (DECISIONS, 'Errors'). */
const SCREEN_HANDLES = new Set([401, 403, 412, 413, 415, 424, 429]);

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
 * The sentence a person reads for a failure (P 8), or null when the screen that asked has its own
 * words. A conflict or a printer that is off says what the portal said: it names the record.
 */
export function explain(error: unknown): string | null {
  if (!(error instanceof ApiError)) return messages.NON_HTTP_ERROR;
  if (error.status === NO_ANSWER) {
    return navigator.onLine ? messages.NO_CONNECTION : messages.OFFLINE;
  }
  if (SCREEN_HANDLES.has(error.status)) return null;
  const specific = [409, 503].includes(error.status) || (error.status === 400 && error.detail);
  if (specific && error.detail && error.errors.length === 0) return error.detail;
  return SENTENCES[error.status] ?? messages.CRITICAL_ERROR;
}

/** Like `explain`, for a screen that wants words for every status. */
export function describe(error: unknown): string {
  // Such a screen has no field to show the portal's words at.
  if (error instanceof ApiError && error.errors[0] && [400, 409].includes(error.status)) {
    return error.errors[0].message;
  }
  const sentence = explain(error);
  if (sentence !== null) return sentence;
  const problem = error as ApiError;
  switch (problem.status) {
    case 401:
      return messages.SESSION_EXPIRED_GRID;
    case 403:
      return messages.FORBIDDEN;
    case 412:
      // Of many records it names the one that changed.
      return problem.detail || messages.VERSION_CONFLICT;
    case 429:
      return problem.detail || messages.SERVERS_TROUBLE;
    default:
      return problem.detail || messages.SERVERS_TROUBLE;
  }
}

/** Whether the record is not what was acted on any more: it has to be looked at again. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && [409, 412].includes(error.status);
}

/** Whether a read is worth another try: the portal was busy or out of reach. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && [NO_ANSWER, 408, 502, 503, 504].includes(error.status);
}

export const READ_RETRIES: number = limits.READ_RETRIES;
