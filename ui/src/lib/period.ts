import { messages } from '../contract';
import { isIsoDate } from './dates';

interface PeriodErrors {
  start: string | undefined;
  end: string | undefined;
  /** The search must not run. */
  invalid: boolean;
}

const dayError = (text: string): string | undefined =>
  text === '' || isIsoDate(text) ? undefined : messages.DATE_INVALID;

/** What is wrong with the two days of a search; an empty one becomes today and is no error. */
export function periodErrors(start: string, end: string): PeriodErrors {
  const crossed = isIsoDate(start) && isIsoDate(end) && end < start;
  const first = dayError(start);
  const last = dayError(end) ?? (crossed ? messages.END_DATE_BEFORE_START : undefined);
  return { start: first, end: last, invalid: first !== undefined || last !== undefined };
}
