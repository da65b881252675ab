import { describe, expect, it } from 'vitest';

import { messages } from './messages.generated';
import { say } from './say';

describe('say', () => {
  it('fills placeholders by name and keeps unknown ones', () => {
    expect(say(messages.TEST_CODE_NOT_FOUND, { code: 'CMP' })).toBe('Test with code CMP not found');
    expect(say('{a} {b}', { a: 1 })).toBe('1 {b}');
  });
});
