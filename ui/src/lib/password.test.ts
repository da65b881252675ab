import { describe, expect, it } from 'vitest';

import { isValidPassword, validateNewPassword } from './password';

// The same samples as in tests/rules/test_accounts.py.
describe('A new password', () => {
  it.each(['Portal-2026!', 'aaaaaa1!', 'A1&*^%$#', '1!+-1!+-'])('may be %s', (password) => {
    expect(isValidPassword(password)).toBe(true);
  });

  it.each([
    'short1!',
    'no-digit!!',
    'nosymbol11',
    'spa ce 1!',
    'ümlaut11!',
    'digits٣٣٣!',
    'portal-2026?',
    'portal-2026=!',
  ])('cannot be %s', (password) => {
    expect(validateNewPassword(password)).toBe('The new password is invalid');
  });

  it('is required', () => {
    expect(validateNewPassword('')).toBe('New Password is required');
  });
});
