import { limits, messages, say } from '../contract';

/** The rule in words. */
export const newPasswordTips = say(messages.NEW_PASSWORD_TIPS, {
  length: limits.PASSWORD_MIN_LENGTH,
  symbols: Array.from(limits.PASSWORD_SYMBOLS).join(' '),
});

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
