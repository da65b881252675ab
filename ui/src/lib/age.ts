import { getToday } from './dates';
import { formatQuantity } from './quantities';

const splitDay = (day: string): number[] => day.slice(0, 10).split('-').map(Number);

/**
 * Returns a person's age in words on a day, by default the lab's current day: in years, in months
 * below two years, in days below one month. Empty without a birth date.
 *
 * @param birthDate ISO date
 */
export function formatAge(birthDate: string | null | undefined, today = getToday()): string {
  if (!birthDate) return '';
  const [birthYear = 0, birthMonth = 0, birthDay = 0] = splitDay(birthDate);
  const [year = 0, month = 0, day = 0] = splitDay(today);
  const months = (year - birthYear) * 12 + (month - birthMonth) - (day < birthDay ? 1 : 0);
  if (months >= 24) return formatQuantity(Math.floor(months / 12), 'year');
  if (months >= 1) return formatQuantity(months, 'month');
  const days =
    (Date.UTC(year, month - 1, day) - Date.UTC(birthYear, birthMonth - 1, birthDay)) / 86_400_000;
  return days < 0 ? '' : formatQuantity(days, 'day');
}
