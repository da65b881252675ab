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
  return [
    ...earlier,
    { collectionDate, result, number: Number.isNaN(number) ? null : number, flag },
  ];
}

/** Places the numbers of a series in a drawing, by the times of collection. */
export function placePoints(
  values: readonly Pick<SeriesValue, 'collectionDate' | 'number'>[],
  { width, height }: Size,
): { x: number; y: number }[] {
  const points = values.flatMap(({ collectionDate, number }) =>
    number === null ? [] : [{ at: Date.parse(collectionDate), number }],
  );
  const times = points.map(({ at }) => at);
  const numbers = points.map(({ number }) => number);
  const scale = (value: number, all: readonly number[], size: number) => {
    const low = Math.min(...all);
    const span = Math.max(...all) - low;
    return MARGIN + (span === 0 ? 0.5 : (value - low) / span) * (size - 2 * MARGIN);
  };
  return points.map(({ at, number }) => ({
    x: scale(at, times, width),
    y: height - scale(number, numbers, height),
  }));
}
