import { formatDate } from './dates';
import { toLabTime } from './labClock';

/** Formats an ISO 8601 instant as the lab's time: `03/09/2026 14:05`. */
export function formatInstant(iso: string): string {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return '';
  const { day, time } = toLabTime(instant);
  return `${formatDate(day)} ${time}`;
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats an ISO 8601 instant as the lab's time in words: `March 9, 2026 14:05`. */
export function formatLongInstant(iso: string): string {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return '';
  const { day, time } = toLabTime(instant);
  return `${longDay.format(new Date(`${day}T00:00:00Z`))} ${time}`;
}
