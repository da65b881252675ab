import { messages } from '../contract';
import { isEmail } from './email';

const FAX_DIGITS = 10;

/** Returns the error in a destination (O 5), or null when it may be added. */
export function validateDestination(type: string, typed: string): string | null {
  if (type === 'FAX') {
    if (typed === '') return messages.FAX_REQUIRED;
    return typed.length === FAX_DIGITS ? null : messages.FAX_INVALID;
  }
  if (typed.trim() === '') return messages.EMAIL_REQUIRED;
  return isEmail(typed.trim()) ? null : messages.EMAIL_INVALID;
}
