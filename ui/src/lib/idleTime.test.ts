import { afterEach, describe, expect, it, vi } from 'vitest';

import { limits } from '../contract';

describe('The idle time', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    [true, limits.IDLE_SECONDS],
    [false, limits.IDLE_SECONDS_OUTSIDE_PRODUCTION],
  ])('in production (%s) is %s seconds', async (isProduction, seconds) => {
    vi.stubEnv('PROD', isProduction);
    vi.resetModules();
    const { IDLE_SECONDS } = await import('./idleTime');
    expect(IDLE_SECONDS).toBe(seconds);
  });
});
