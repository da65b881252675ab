import { isIsoDate, today } from '../../lib/dates';
import { limits, messages } from '../../contract';

/** What is wrong with a birth date that was filled in, or null (O 5). */
export function birthDateError(value: string): string | null {
  if (!isIsoDate(value)) return messages.DATE_INVALID;
  const inRange = value >= limits.EARLIEST_BIRTH_DATE && value <= today();
  return inRange ? null : messages.BIRTH_DATE_OUT_OF_RANGE;
}
