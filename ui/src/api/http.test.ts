import { beforeEach, describe, expect, it } from 'vitest';

import { fakePortal, problem } from '../test/portal';
import { profile } from '../test/render';
import { api, takeCredentialsFrom } from './http';
import { ApiError, explain } from './problem';
import { Session } from './session';

const signedOut = { authorization: () => null, renew: () => Promise.resolve(false) };

describe('a call', () => {
  beforeEach(() => takeCredentialsFrom(signedOut));

  it('sends no Authorization header without a token, as on the desktop', async () => {
    const seen = fakePortal({ 'GET /api/x': { ok: true } });
    await api.get('/api/x', { query: { ids: [1, 2], empty: '', none: null } });
    expect(seen[0]?.headers.has('Authorization')).toBe(false);
    expect(seen[0]?.query.toString()).toBe('ids=1&ids=2');
  });

  it('sends an idempotency key with every write and the version it changes', async () => {
    const seen = fakePortal({ 'PUT /api/x': {} });
    await api.put('/api/x', { body: {}, version: 3 });
    expect(seen[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen[0]?.headers.get('If-Match')).toBe('"3"');
  });

  it('whose answer breaks off got none', async () => {
    fakePortal({ 'POST /api/x': new Response('{"id": 1', { status: 201 }) });
    const failure = await api.post('/api/x', { body: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).status).toBe(0);
  });

  it('becomes an ApiError with the fields the portal named', async () => {
    const errors = [{ field: 'lastName', message: 'Last Name is required' }];
    fakePortal({ 'POST /api/x': problem(400, 'bad_input', '', errors) });
    const failure = await api.post('/api/x', { body: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).errors).toEqual(errors);
  });
});

describe('a dead token', () => {
  it('is renewed once, and the write repeated under the same key', async () => {
    let calls = 0;
    const seen = fakePortal({
      'POST /auth/jwt/refresh': { token: 'fresh', user: profile() },
      'POST /api/x': () => (++calls === 1 ? problem(401, 'unauthenticated', '') : { ok: true }),
    });
    const session = new Session();
    await session.start();
    await api.post('/api/x', { body: {} });
    const writes = seen.filter((request) => request.path === '/api/x');
    expect(writes).toHaveLength(2);
    expect(writes[1]?.headers.get('Authorization')).toBe('JWT fresh');
    expect(writes[1]?.headers.get('Idempotency-Key')).toBe(
      writes[0]?.headers.get('Idempotency-Key'),
    );
  });

  it('ends the session when it can not be renewed', async () => {
    let refreshes = 0;
    fakePortal({
      'POST /auth/jwt/refresh': () =>
        ++refreshes === 1 ? { token: 'old', user: profile() } : problem(401, 'unauthenticated', ''),
      'GET /api/x': problem(401, 'unauthenticated', ''),
    });
    const session = new Session();
    await session.start();
    await expect(api.get('/api/x')).rejects.toMatchObject({ status: 401 });
    expect(session.state()).toMatchObject({ status: 'signedOut', reason: 'expired' });
  });

  it('is renewed once for many calls at the same time', async () => {
    const seen = fakePortal({ 'POST /auth/jwt/refresh': { token: 'fresh', user: profile() } });
    const session = new Session();
    await Promise.all([session.renew(), session.renew(), session.renew()]);
    expect(seen).toHaveLength(1);
  });
});

describe('explain', () => {
  it.each([
    [400, 'There was a validation error!'],
    [404, 'No record found!'],
    [500, 'Oops, an internal error occurred!'],
    [504, 'It seems that you are having problems communicating with our servers!'],
    [0, 'We have lost communication with our servers!'],
    [418, 'Critical Error'],
  ])('has the sentence of P 8 for %s', (status, sentence) => {
    expect(explain(new ApiError(status))).toBe(sentence);
  });

  it.each([403, 412, 413, 415, 424, 429])('leaves %s to the screen that asked', (status) => {
    expect(explain(new ApiError(status))).toBeNull();
  });

  it('says which record a conflict is about', () => {
    const detail = 'Requisition R260000001 is already signed';
    expect(explain(new ApiError(409, { detail }))).toBe(detail);
  });
});
