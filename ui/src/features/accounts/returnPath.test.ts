import { describe, expect, it, vi } from 'vitest';

import { findRememberedPath, findReturnPath, forgetPath, rememberPath } from './returnPath';

const PATH = '/secured/requisitions/create;id=12';

describe('The remembered address', () => {
  it.each([
    ['the same user', 'ada', PATH],
    ['another user', 'bob', null],
  ])('after a session is offered to %s: %s', (_, userId, expected) => {
    rememberPath(PATH, 'ada');
    expect(findReturnPath(findRememberedPath(), userId)).toBe(expected);
  });

  it('of a link opened without a session is offered to the next user, once', () => {
    rememberPath(PATH, null);
    expect(findReturnPath(findRememberedPath(), 'bob')).toBe(PATH);
    forgetPath();
    expect(findRememberedPath()).toBeNull();
  });

  it('is forgotten where the browser stores nothing', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    rememberPath(PATH, 'ada');
    expect(findRememberedPath()).toBeNull();
    vi.restoreAllMocks();
  });
});
