/**
 * A date with a time that may be unknown, as a form holds it: `2026-03-09`, `2026-03-09T14:05`, ''
 * for none, or unfinished text. On the wire, midnight means an unknown time (DECISIONS).
 */

import { formatDate, formatTime, isIsoDate } from './dates';

const SEPARATOR = 'T';
/** The time that stands for an unknown one. */
export const MIDNIGHT = '00:00';
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether a text is a time: `14:05`. */
export const isTime = (text: string): boolean => TIME.test(text);

/** Returns the time of a date and time of the wire; '' if it is unknown. */
export function readTime(iso: string): string {
  const time = iso.slice(11, 16);
  return time === MIDNIGHT ? '' : time;
}

/** Formats a date and time of the wire: `03/09/2026 02:05 PM`, or without an unknown time. */
export function formatDateTime(iso: string | null | undefined): string {
  const date = formatDate(iso);
  return date && `${date} ${formatTime(readTime(iso ?? ''))}`.trim();
}

export const joinDateTime = (date: string, time: string): string =>
  time === '' ? date : `${date}${SEPARATOR}${time}`;

export function splitDateTime(value: string): { date: string; time: string } {
  const [date = '', time = ''] = value.split(SEPARATOR, 2);
  return { date, time };
}

/** Converts a date and time of the wire for a form. */
export const readDateTime = (iso: string | null): string =>
  iso === null ? '' : joinDateTime(iso.slice(0, 10), readTime(iso));

/** Whether the text is empty, or a complete date with or without a time. */
export function isDateTime(value: string): boolean {
  const { date, time } = splitDateTime(value);
  return value === '' || (isIsoDate(date) && (time === '' || isTime(time)));
}

/** Converts a form's date and time for the wire; null for none and for unfinished text. */
export function writeDateTime(value: string): string | null {
  if (value === '' || !isDateTime(value)) return null;
  const { date, time } = splitDateTime(value);
  return `${date}${SEPARATOR}${time || MIDNIGHT}:00`;
}
