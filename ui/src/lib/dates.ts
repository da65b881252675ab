/** Dates as the portal writes them: ISO on the wire, MM/DD/YYYY on the screen (O 9). */

import { toLabTime } from './labClock';

const ISO = /^(\d{4})-(\d{2})-(\d{2})/;
const TYPED_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const TWO_DIGIT_YEAR = /^(\d{2}\/\d{2}\/)(\d{2})$/;

const padTwo = (value: number) => String(value).padStart(2, '0');

export function toIsoDate(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}

/** Returns the current day in the lab. */
export const getToday = (): string => toLabTime().day;

const YEARS_AHEAD = 5;

/** The latest day of a date field without its own limit. */
export const getLastPickableDay = (): Date =>
  new Date(Number(getToday().slice(0, 4)) + YEARS_AHEAD, 11, 31);

/** Returns the local midnight of an ISO date, or null for a day that does not exist. */
export function parseIsoDate(iso: string): Date | null {
  const match = ISO.exec(iso);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(year, month - 1, day);
  date.setFullYear(year);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : null;
}

export const isIsoDate = (text: string): boolean =>
  text.length === 10 && parseIsoDate(text) !== null;

/** Returns the same day of the next year. For February 29, that is a day that does not exist. */
export const addYear = (iso: string): string => `${Number(iso.slice(0, 4)) + 1}${iso.slice(4, 10)}`;

/** Formats `2026-03-09` or `2026-03-09T14:05:00` as `03/09/2026`; returns '' for anything else. */
export function formatDate(iso: string | null | undefined): string {
  const match = ISO.exec(iso ?? '');
  return match ? `${match[2]}/${match[3]}/${match[1]}` : '';
}

const NOON = 12;

/** Formats `14:05` as `02:05 PM` (R 9); returns '' for ''. */
export function formatTime(time: string): string {
  if (time === '') return '';
  const hour = Number(time.slice(0, 2));
  return `${padTwo(hour % NOON || NOON)}${time.slice(2)} ${hour < NOON ? 'AM' : 'PM'}`;
}

/** Formats a time that the portal recorded, midnight too: `03/09/2026 02:05 PM`. */
export function formatTimestamp(iso: string | null | undefined): string {
  const date = formatDate(iso);
  return date && `${date} ${formatTime((iso ?? '').slice(11, 16))}`.trim();
}

/** Returns the ISO date of a complete `MM/DD/YYYY` or `M/D/YYYY`, or null. */
export function parseTypedDate(text: string): string | null {
  const match = TYPED_DATE.exec(text.trim());
  if (!match) return null;
  const iso = `${match[3]}-${match[1]?.padStart(2, '0')}-${match[2]?.padStart(2, '0')}`;
  return isIsoDate(iso) ? iso : null;
}

const MONTH_AND_DAY = 2;
const YEAR_DIGITS = 4;

/**
 * Formats a date while it is typed: `3/` becomes `03/`, `0304` becomes `03/04`, and an ISO date
 * becomes `MM/DD/YYYY`. Any separator ends the month or the day.
 */
export function maskDate(text: string): string {
  if (isIsoDate(text.trim())) return formatDate(text.trim());
  const parts = [''];
  for (const character of text.trim()) {
    const part = parts.length - 1;
    const current = parts[part] ?? '';
    const maxLength = part < MONTH_AND_DAY ? 2 : YEAR_DIGITS;
    if (/\d/.test(character)) {
      if (current.length < maxLength) parts[part] = current + character;
      else if (part < MONTH_AND_DAY) parts.push(character);
    } else if (current !== '' && part < MONTH_AND_DAY) {
      parts[part] = current.padStart(2, '0');
      parts.push('');
    }
  }
  return parts.join('/');
}

/**
 * Completes the year of `03/04/61`: the latest such year that puts the date no later than `latest`
 * (ISO), because birth dates are in the past. Returns any other text unchanged.
 */
export function completeCentury(text: string, latest: string): string {
  const match = TWO_DIGIT_YEAR.exec(text);
  const latestDate = parseIsoDate(latest);
  if (!match || latestDate === null) return text;
  let year = latestDate.getFullYear() - (latestDate.getFullYear() % 100) + Number(match[2]);
  const isoText = `${String(year)}-${match[1]?.slice(0, 2)}-${match[1]?.slice(3, 5)}`;
  if (isoText > latest) year -= 100;
  return `${match[1]}${year}`;
}

const DAY_MS = 86_400_000;

/** Returns the days from one ISO date to another; rounded, because of daylight saving time. */
export function countDays(from: string, to: string): number {
  const [first, last] = [parseIsoDate(from), parseIsoDate(to)];
  return first && last ? Math.round((last.getTime() - first.getTime()) / DAY_MS) : 0;
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** Formats the time since a clinical date-time of the lab: '25 min', '3 h 5 min', '2 d 4 h'. */
export function formatTimeSince(iso: string): string {
  const { day, time } = toLabTime();
  const elapsedMs = Date.parse(`${day}T${time}:00Z`) - Date.parse(`${iso}Z`);
  const minutes = Math.max(0, Math.floor(elapsedMs / MINUTE_MS));
  if (minutes < HOUR_MINUTES) return `${minutes} min`;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  if (minutes < DAY_MINUTES) return `${hours} h ${minutes % HOUR_MINUTES} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
