/** Dates as the portal writes them: ISO on the wire, MM/DD/YYYY on the screen (O 9). */

const ISO = /^(\d{4})-(\d{2})-(\d{2})/;
const TYPED = /^(\d{2})\/(\d{2})\/(\d{4})$/;

const two = (value: number) => String(value).padStart(2, '0');

export function isoOf(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export const today = (): string => isoOf(new Date());

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

/** The ISO date of a complete `MM/DD/YYYY`, or null. */
export function parseTyped(text: string): string | null {
  const match = TYPED.exec(text.trim());
  if (!match) return null;
  const iso = `${match[3]}-${match[1]}-${match[2]}`;
  return isIsoDate(iso) ? iso : null;
}
