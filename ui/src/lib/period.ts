import { limits, messages } from '../contract';
import { formatDate, isIsoDate, parseIsoDate, getToday, toIsoDate } from './dates';

export interface Period {
  startDate: string;
  endDate: string;
}

/** Returns '03/01/2026 – 03/04/2026', or a single day once. An empty day is today. */
export function formatPeriod({ startDate, endDate }: Period): string {
  const [start, end] = [startDate, endDate].map((day) => formatDate(day || getToday()));
  return start === end ? (start ?? '') : `${start} – ${end}`;
}

/** Returns the day that is some days before today. */
export function getDaysAgo(days: number): string {
  const day = parseIsoDate(getToday()) ?? new Date();
  day.setDate(day.getDate() - days);
  return toIsoDate(day);
}

/** Returns the last days until today, or until the end of `period` if that is later. */
export const getLastDays = (days: number, period: Period): Period => ({
  startDate: getDaysAgo(days),
  endDate: period.endDate > getToday() ? period.endDate : getToday(),
});

/** Returns how many days the next wider period has, or null if there is none. */
export const getWiderDays = (period: Period): number | null =>
  limits.PERIOD_DAYS.find((days) => getDaysAgo(days) < period.startDate) ?? null;

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
