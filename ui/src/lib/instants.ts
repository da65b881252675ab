import { formatDate, isoOf } from './dates';

/** A moment of the wire (ISO 8601 with offset) by this workstation's clock: `03/09/2026 14:05`. */
export function formatInstant(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const time = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0'));
  return `${formatDate(isoOf(date))} ${time.join(':')}`;
}
