import { describe, expect, it } from 'vitest';

import { formatBytes, formatSeconds } from './amounts';

describe('Amounts', () => {
  it.each([
    [512, '512 B'],
    [5_400_000, '5.1 MB'],
    [3 * 1024 ** 4, '3.0 TB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0.4, '0 s'],
    [90, '1 min'],
    [3_700, '1 h 1 min'],
    [100_000, '1 d 3 h'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});
