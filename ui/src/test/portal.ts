import { vi } from 'vitest';

import { listIgnoredFields } from './requestBodies';

const LIVE_CHANGES = '/api/v2/changes';

/** A request that the tested code has sent. */
export interface SentRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

/** A response of the portal: a JSON value, a full `Response`, or a function of the request. */
export type Answer = unknown;
export type Answers = Record<string, Answer>;

/** Creates an RFC 9457 error response. */
export function buildProblem(status: number, code: string, detail: string, errors: unknown[] = []) {
  return new Response(
    JSON.stringify({
      type: `urn:portal:problem:${code}`,
      title: code,
      status,
      code,
      detail,
      errors,
    }),
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  );
}

/**
 * Answers `fetch` from a table of `'METHOD /path'`, without the query. Other requests get a 404, as
 * on the portal.
 */
export function installFakePortal(answers: Answers): SentRequest[] {
  const requests: SentRequest[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://portal.test');
    // By default, the change stream stays silent.
    if (url.pathname === LIVE_CHANGES && answers[`GET ${LIVE_CHANGES}`] === undefined)
      return waitForAbort(init.signal);
    const request: SentRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    requests.push(request);
    checkBody(request);
    const answer = answers[`${request.method} ${request.path}`];
    if (answer === undefined) return buildProblem(404, 'not_found', 'No record found!');
    const value: unknown =
      typeof answer === 'function'
        ? await (answer as (r: SentRequest) => unknown)(request)
        : answer;
    if (value instanceof Response) return value.clone();
    return new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } });
  });
  return requests;
}

const ignoredFields: string[] = [];

function checkBody({ method, path, body }: SentRequest): void {
  if (body === undefined) return;
  ignoredFields.push(
    ...listIgnoredFields(method, path, body).map((field) => `${method} ${path}: ${field}`),
  );
}

/** Returns the fields sent so far that the portal would ignore, and forgets them. */
export const takeIgnoredFields = (): string[] => ignoredFields.splice(0);

/** A response that never arrives; the listener's abort ends it. */
const waitForAbort = (signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
  });

/** A finite stream of server-sent events. */
export function buildEventStream(events: readonly { name: string; data: unknown; id?: string }[]) {
  const text = events.map(
    ({ name, data, id }) =>
      `${id ? `id: ${id}\n` : ''}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return new Response(text.join(''), { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Creates an answer of the stream of changes that stays open, and announces changes in it. */
export function createChangeStream() {
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  return {
    answer: () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          stream = controller;
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    },
    announce: (change: { kind: string; id: number; version: number; patientId?: number }) =>
      stream?.enqueue(
        new TextEncoder().encode(`id: 1-1\nevent: change\ndata: ${JSON.stringify(change)}\n\n`),
      ),
  };
}

/** One page of a list. */
export const buildPage = <Row>(data: Row[], totalCount = data.length) => ({
  data,
  totalCount,
  totalIsCapped: false,
  next: null,
});

/** Answers the first calls with `answer`, and later ones as after the end of the session. */
export function answerFirst(answer: unknown, count = 1): () => unknown {
  let calls = 0;
  return () => ((calls += 1) <= count ? answer : buildProblem(401, 'unauthenticated', ''));
}
