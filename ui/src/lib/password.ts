import { limits, messages } from '../contract';

/** Whether a new password follows the rule of P 5, which the portal checks too. */
export function isValidPassword(password: string): boolean {
  const characters = Array.from(password);
  const isSymbol = (character: string) => limits.PASSWORD_SYMBOLS.includes(character);
  return (
    characters.length >= limits.PASSWORD_MIN_LENGTH &&
    /[0-9]/.test(password) &&
    characters.some(isSymbol) &&
    characters.every((character) => /[A-Za-z0-9]/.test(character) || isSymbol(character))
  );
}

/** Returns the message about a new password; undefined if it is valid. */
export function validateNewPassword(password: string): string | undefined {
  if (password === '') return messages.NEW_PASSWORD_REQUIRED;
  return isValidPassword(password) ? undefined : messages.NEW_PASSWORD_INVALID;
}
