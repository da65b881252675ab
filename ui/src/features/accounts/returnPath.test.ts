import { describe, expect, it } from 'vitest';

import { consumeRememberedPath, findReturnPath, rememberPath } from './returnPath';

const PATH = '/secured/requisitions/create;id=12';

describe('The remembered address', () => {
  it.each([
    ['the same user', 'ada', PATH],
    ['another user', 'bob', null],
  ])('after a session is offered to %s: %s', (_, userId, expected) => {
    rememberPath(PATH, 'ada');
    expect(findReturnPath(consumeRememberedPath(), userId)).toBe(expected);
  });

  it('of a link opened without a session is offered to the next user, once', () => {
    rememberPath(PATH, null);
    expect(findReturnPath(consumeRememberedPath(), 'bob')).toBe(PATH);
    expect(consumeRememberedPath()).toBeNull();
  });
});
