import { isIsoDate, getToday } from '../../lib/dates';
import { limits, messages } from '../../contract';

/** Returns the error in a birth date, or null (O 5). */
export function validateBirthDate(value: string): string | null {
  if (!isIsoDate(value)) return messages.DATE_INVALID;
  const isInRange = value >= limits.EARLIEST_BIRTH_DATE && value <= getToday();
  return isInRange ? null : messages.BIRTH_DATE_OUT_OF_RANGE;
}
