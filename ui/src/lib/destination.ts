import { messages } from '../contract';
import { isEmail } from './email';

const FAX_DIGITS = 10;

/** Returns the error in a destination (O 5), or null when it may be added. */
export function validateDestination(type: string, typedText: string): string | null {
  if (type === 'FAX') {
    if (typedText === '') return messages.FAX_REQUIRED;
    return typedText.length === FAX_DIGITS ? null : messages.FAX_INVALID;
  }
  if (typedText.trim() === '') return messages.EMAIL_REQUIRED;
  return isEmail(typedText.trim()) ? null : messages.EMAIL_INVALID;
}
