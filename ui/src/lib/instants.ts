import { formatDate, toIsoDate } from './dates';

/** Formats an ISO 8601 instant in this workstation's time zone: `03/09/2026 14:05`. */
export function formatInstant(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const time = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0'));
  return `${formatDate(toIsoDate(date))} ${time.join(':')}`;
}
