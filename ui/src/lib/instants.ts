import { formatDate, formatTime } from './dates';
import { toLabTime, type LabTime } from './labClock';

/** Formats a wall-clock time: `03/09/2026 02:05 PM`. */
export const formatLabTime = ({ day, time }: LabTime): string =>
  `${formatDate(day)} ${formatTime(time)}`;

/** Formats an ISO 8601 instant as the lab's time: `03/09/2026 02:05 PM`. */
export function formatInstant(iso: string): string {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return '';
  return formatLabTime(toLabTime(instant));
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats an ISO 8601 instant as the lab's time in words: `March 9, 2026 02:05 PM`. */
export function formatLongInstant(iso: string): string {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return '';
  const { day, time } = toLabTime(instant);
  return `${longDay.format(new Date(`${day}T00:00:00Z`))} ${formatTime(time)}`;
}
