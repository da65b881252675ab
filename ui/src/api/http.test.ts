import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Channel } from '../test/channel';
import { installFakePortal, buildProblem } from '../test/portal';
import { buildProfile } from '../test/render';
import { api, setCredentials } from './http';
import { ApiError, explainError } from './problem';
import { Session } from './session';

const signedOutCredentials = {
  getAuthorization: () => null,
  renew: () => Promise.resolve(false),
  isExpired: () => false,
  isSignedOut: () => false,
};

describe('An API call', () => {
  beforeEach(() => setCredentials(signedOutCredentials));

  it('sends no Authorization header without a token, as on the desktop', async () => {
    const requests = installFakePortal({ 'GET /api/x': { ok: true } });
    await api.get('/api/x', { query: { ids: [1, 2], empty: '', none: null } });
    expect(requests[0]?.headers.has('Authorization')).toBe(false);
    expect(requests[0]?.query.toString()).toBe('ids=1&ids=2');
  });

  it('sends an idempotency key with every write, and the version that it changes', async () => {
    const requests = installFakePortal({ 'PUT /api/x': {} });
    await api.put('/api/x', { body: {}, version: 3 });
    expect(requests[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(requests[0]?.headers.get('If-Match')).toBe('"3"');
  });

  it('sends the key of a write as its request id, which is the same for every attempt', async () => {
    const requests = installFakePortal({ 'POST /api/x': {} });
    for (let attempt = 0; attempt < 2; attempt++) {
      await api.post('/api/x', { body: {}, idempotencyKey: 'of-this-click' });
    }
    expect(requests.map(({ headers }) => headers.get('X-Request-ID'))).toEqual([
      'of-this-click',
      'of-this-click',
    ]);
  });

  it('reports a response cut off midway as no response', async () => {
    installFakePortal({ 'POST /api/x': new Response('{"id": 1', { status: 201 }) });
    const failure = await api.post('/api/x', { body: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).status).toBe(0);
  });

  it('throws an ApiError with the fields that the portal named', async () => {
    const errors = [{ field: 'lastName', message: 'Last Name is required' }];
    installFakePortal({ 'POST /api/x': buildProblem(400, 'bad_input', '', errors) });
    const failure = await api.post('/api/x', { body: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).errors).toEqual(errors);
  });
});

describe('An expired token', () => {
  it('is renewed once, and the write is repeated with the same key', async () => {
    let calls = 0;
    const requests = installFakePortal({
      'POST /auth/jwt/refresh': { token: 'fresh', user: buildProfile() },
      'POST /api/x': () =>
        ++calls === 1 ? buildProblem(401, 'unauthenticated', '') : { ok: true },
    });
    const session = new Session();
    await session.start();
    await api.post('/api/x', { body: {} });
    const writes = requests.filter((request) => request.path === '/api/x');
    expect(writes).toHaveLength(2);
    expect(writes[1]?.headers.get('Authorization')).toBe('JWT fresh');
    expect(writes[1]?.headers.get('Idempotency-Key')).toBe(
      writes[0]?.headers.get('Idempotency-Key'),
    );
  });

  it('ends the session when it cannot be renewed', async () => {
    let refreshes = 0;
    installFakePortal({
      'POST /auth/jwt/refresh': () =>
        ++refreshes === 1
          ? { token: 'old', user: buildProfile() }
          : buildProblem(401, 'unauthenticated', ''),
      'GET /api/x': buildProblem(401, 'unauthenticated', ''),
    });
    const session = new Session();
    await session.start();
    await expect(api.get('/api/x')).rejects.toMatchObject({ status: 401 });
    expect(session.getState()).toMatchObject({ status: 'signedOut', reason: 'expired' });
  });

  it('is renewed once for several simultaneous calls', async () => {
    const requests = installFakePortal({
      'POST /auth/jwt/refresh': { token: 'fresh', user: buildProfile() },
    });
    const session = new Session();
    await Promise.all([session.renew(), session.renew(), session.renew()]);
    expect(requests).toHaveLength(1);
  });
});

describe('explainError', () => {
  it.each([
    [400, 'There was a validation error!'],
    [404, 'No record found!'],
    [500, 'Oops, an internal error occurred!'],
    [504, 'It seems that you are having problems communicating with our servers!'],
    [0, 'We have lost communication with our servers!'],
    [418, 'Critical Error'],
  ])('returns the sentence of P 8 for status %s', (status, sentence) => {
    expect(explainError(new ApiError(status))).toBe(sentence);
  });

  it.each([403, 412, 413, 415, 424, 429])('leaves status %s to the screen', (status) => {
    expect(explainError(new ApiError(status))).toBeNull();
  });

  it('names the record in a conflict', () => {
    const detail = 'Requisition R260000001 is already signed';
    expect(explainError(new ApiError(409, { detail }))).toBe(detail);
  });
});

describe('An expired access token', () => {
  const mint = (iat: number, exp: number) => `e.${btoa(JSON.stringify({ iat, exp }))}.s`;

  it('is renewed before the next call, so that nothing is rejected', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let renewals = 0;
    const requests = installFakePortal({
      'POST /auth/jwt/refresh': () => ({
        // The portal's clock is decades behind this computer's.
        token: mint(1_000 + ++renewals, 1_300 + renewals),
        user: buildProfile(),
      }),
      'GET /api/x': {},
    });
    const session = new Session();
    await session.start();
    await api.get('/api/x');
    const first = requests.at(-1)?.headers.get('Authorization');
    expect(renewals).toBe(1);
    vi.setSystemTime(Date.now() + 299_000);
    await api.get('/api/x');
    expect(renewals).toBe(2);
    expect(requests.at(-1)?.headers.get('Authorization')).not.toBe(first);
    expect(requests.filter(({ path }) => path === '/api/x')).toHaveLength(2);
    vi.useRealTimers();
  });

  it('is not sent once its session is over, and no events are requested', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let isOver = false;
    const requests = installFakePortal({
      'POST /auth/jwt/refresh': () =>
        isOver
          ? buildProblem(401, 'unauthorized', '')
          : { token: mint(1_000, 1_300), user: buildProfile() },
      'GET /api/x': {},
    });
    const session = new Session();
    await session.start();
    isOver = true;
    vi.setSystemTime(Date.now() + 299_000);
    await expect(api.get('/api/x')).rejects.toMatchObject({ status: 401 });
    await expect(api.events('/api/x').next()).rejects.toMatchObject({ status: 401 });
    expect(requests.filter(({ path }) => path === '/api/x')).toEqual([]);
    vi.useRealTimers();
  });

  it('is renewed after another tab has signed in again', async () => {
    Channel.closeAll();
    vi.stubGlobal('BroadcastChannel', Channel);
    let signIns = 0;
    const signIn = () => ({ token: `token ${++signIns}`, user: buildProfile() });
    const requests = installFakePortal({
      'POST /auth/jwt/refresh': signIn,
      'POST /auth/login': signIn,
      'GET /api/x': {},
    });
    const [otherTab, session] = [new Session(), new Session()];
    await otherTab.start();
    await session.start();
    await otherTab.confirmPassword('a password');
    await api.get('/api/x');
    expect(requests.at(-1)?.headers.get('Authorization')).toBe('JWT token 4');
  });
});
