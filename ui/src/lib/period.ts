import { messages } from '../contract';
import { isIsoDate } from './dates';

interface PeriodErrors {
  start: string | undefined;
  end: string | undefined;
  /** Whether the search must not run. */
  invalid: boolean;
}

const validateDay = (text: string): string | undefined =>
  text === '' || isIsoDate(text) ? undefined : messages.DATE_INVALID;

/** Validates the two days of a search. An empty day becomes today. */
export function validatePeriod(start: string, end: string): PeriodErrors {
  const isReversed = isIsoDate(start) && isIsoDate(end) && end < start;
  const startError = validateDay(start);
  const endError = validateDay(end) ?? (isReversed ? messages.END_DATE_BEFORE_START : undefined);
  return {
    start: startError,
    end: endError,
    invalid: startError !== undefined || endError !== undefined,
  };
}
