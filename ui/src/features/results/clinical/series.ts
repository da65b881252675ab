import type { ClinicalRow, LastValues } from './api';

/** A released value of a test, with the time of its collection. */
export type SeriesValue = LastValues['values'][number];

interface Size {
  width: number;
  height: number;
}

const MARGIN = 5;

/** Returns the earlier values of a row's test, oldest first. */
export const findEarlierValues = (
  lastValues: readonly LastValues[],
  row: Pick<ClinicalRow, 'key'>,
): readonly SeriesValue[] => lastValues.find(({ key }) => key === row.key)?.values ?? [];

/** Adds an order's value, if it has one, to the earlier values of the test. */
export function buildSeries(
  earlier: readonly SeriesValue[],
  { result, flag }: Pick<ClinicalRow, 'result' | 'flag'>,
  collectionDate: string | null,
): readonly SeriesValue[] {
  if (result === null || collectionDate === null) return earlier;
  const number = Number(result.replaceAll(',', ''));
  const value = { collectionDate, result, number: Number.isNaN(number) ? null : number, flag };
  return [...earlier, value].toSorted(
    (a, b) => Date.parse(a.collectionDate) - Date.parse(b.collectionDate),
  );
}

/** The smallest distance between two neighbors, as a share of the average distance. */
const MIN_SHARE = 0.25;

/**
 * Returns positions between 0 and 1 for ascending times. Equal and close times are drawn apart:
 * otherwise their values would look like one vertical line. If all times are equal, the distances
 * are equal, too.
 */
function spreadTimes(times: readonly number[]): number[] {
  const intervals = times.slice(1).map((time, index) => Math.max(0, time - (times[index] ?? time)));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const average = sum(intervals) / intervals.length;
  const widths = intervals.map((interval) => Math.max(interval, average * MIN_SHARE) || 1);
  const total = sum(widths);
  return times.map((_, index) => (total === 0 ? 0.5 : sum(widths.slice(0, index)) / total));
}

/** Places the numbers of a series, oldest first, in a drawing, by the times of collection. */
export function placePoints(
  values: readonly Pick<SeriesValue, 'collectionDate' | 'number'>[],
  { width, height }: Size,
): { x: number; y: number }[] {
  const points = values.flatMap(({ collectionDate, number }) =>
    number === null ? [] : [{ at: Date.parse(collectionDate), number }],
  );
  const positions = spreadTimes(points.map(({ at }) => at));
  const numbers = points.map(({ number }) => number);
  const low = Math.min(...numbers);
  const span = Math.max(...numbers) - low;
  const place = (share: number, size: number) => MARGIN + share * (size - 2 * MARGIN);
  return points.map(({ number }, index) => ({
    x: place(positions[index] ?? 0, width),
    y: height - place(span === 0 ? 0.5 : (number - low) / span, height),
  }));
}
