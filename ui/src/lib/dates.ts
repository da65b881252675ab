/** Dates as the portal writes them: ISO on the wire, MM/DD/YYYY on the screen (O 9). */

const ISO = /^(\d{4})-(\d{2})-(\d{2})/;
const TYPED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const TWO_DIGIT_YEAR = /^(\d{2}\/\d{2}\/)(\d{2})$/;

const two = (value: number) => String(value).padStart(2, '0');

export function isoOf(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export const today = (): string => isoOf(new Date());

const YEARS_AHEAD = 5;

/** The latest day of a date field that names no latest day itself. */
export const lastPickableDay = (): Date => new Date(new Date().getFullYear() + YEARS_AHEAD, 11, 31);

/** The local midnight of an ISO date, or null when there is no such day. */
export function dateOf(iso: string): Date | null {
  const match = ISO.exec(iso);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(year, month - 1, day);
  date.setFullYear(year);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : null;
}

export const isIsoDate = (text: string): boolean => text.length === 10 && dateOf(text) !== null;

/** `2026-03-09` and `2026-03-09T14:05:00` become `03/09/2026`; anything else an empty text. */
export function formatDate(iso: string | null | undefined): string {
  const match = ISO.exec(iso ?? '');
  return match ? `${match[2]}/${match[3]}/${match[1]}` : '';
}

/** With hours and minutes, unless it is midnight: that means the time is unknown (DECISIONS). */
export function formatDateTime(iso: string | null | undefined): string {
  const date = formatDate(iso);
  const time = (iso ?? '').slice(11, 16);
  return date && time && time !== '00:00' ? `${date} ${time}` : date;
}

/** The ISO date of a complete `MM/DD/YYYY` (`M/D/YYYY` too), or null. */
export function parseTyped(text: string): string | null {
  const match = TYPED.exec(text.trim());
  if (!match) return null;
  const iso = `${match[3]}-${match[1]?.padStart(2, '0')}-${match[2]?.padStart(2, '0')}`;
  return isIsoDate(iso) ? iso : null;
}

const MONTH_AND_DAY = 2;
const YEAR_DIGITS = 4;

/**
 * What stands in a date field while it is typed: `3/` becomes `03/`, `0304` becomes `03/04`, and
 * an ISO date is turned round. Any separator ends the month or the day.
 */
export function maskDate(text: string): string {
  if (isIsoDate(text.trim())) return formatDate(text.trim());
  const parts = [''];
  for (const character of text.trim()) {
    const place = parts.length - 1;
    const current = parts[place] ?? '';
    const whole = place < MONTH_AND_DAY ? 2 : YEAR_DIGITS;
    if (/\d/.test(character)) {
      if (current.length < whole) parts[place] = current + character;
      else if (place < MONTH_AND_DAY) parts.push(character);
    } else if (current !== '' && place < MONTH_AND_DAY) {
      parts[place] = current.padStart(2, '0');
      parts.push('');
    }
  }
  return parts.join('/');
}

/**
 * `03/04/61` with its century: the latest year that ends so and puts the date no later than
 * `latest` (ISO), so that birth dates lie in the past. Any other text stays as it is.
 */
export function withCentury(text: string, latest: string): string {
  const match = TWO_DIGIT_YEAR.exec(text);
  const newest = dateOf(latest);
  if (!match || newest === null) return text;
  let year = newest.getFullYear() - (newest.getFullYear() % 100) + Number(match[2]);
  const typed = `${String(year)}-${match[1]?.slice(0, 2)}-${match[1]?.slice(3, 5)}`;
  if (typed > latest) year -= 100;
  return `${match[1]}${year}`;
}
