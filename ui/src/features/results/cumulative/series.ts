import type { ClinicalResult } from './api';

/** A column of the table: an order. */
export interface OrderColumn {
  id: number;
  code: string;
  date: string;
  client: string | null;
}

/** A row of the table: results that can be compared, with a cell per column. */
export interface SeriesRow<Result> {
  series: string;
  newest: Result;
  cells: readonly (Result | null)[];
}

export interface SeriesTable<Result> {
  columns: readonly OrderColumn[];
  rows: readonly SeriesRow<Result>[];
}

type Description = readonly (string | null | false)[];

/**
 * Returns the names of the rows. Rows of the same test also have what distinguishes them, such as
 * the unit: 'GLUCOSE, mmol/L'.
 */
export function nameRows<Result extends { name: string }>(
  rows: readonly SeriesRow<Result>[],
  describeRow: (row: SeriesRow<Result>) => Description,
): string[] {
  const described = rows.map((row) => ({ name: row.newest.name, parts: describeRow(row) }));
  return described.map(({ name, parts }) => {
    const namesakes = described.filter((row) => row.name === name);
    const differing = parts.filter(
      (part, index) => part && namesakes.some((row) => row.parts[index] !== part),
    );
    return [name, ...differing].join(', ');
  });
}

interface Day<Result> {
  orders: readonly (OrderColumn & { results: readonly Result[] })[];
}

/**
 * Arranges results in rows by series and columns by order, the newest order first. Its rows come
 * first, in the order of its results.
 */
export function buildTable<Result extends { series: string }>(
  days: readonly Day<Result>[],
): SeriesTable<Result> {
  const orders = days.flatMap((day) => day.orders);
  const rows = new Map<string, { newest: Result; cells: (Result | null)[] }>();
  orders.forEach((order, index) => {
    for (const result of order.results) {
      const row = rows.get(result.series) ?? {
        newest: result,
        cells: orders.map(() => null),
      };
      row.cells[index] = result;
      rows.set(result.series, row);
    }
  });
  return {
    columns: orders.map(({ id, code, date, client }) => ({ id, code, date, client })),
    rows: [...rows].map(([series, row]) => ({ series, ...row })),
  };
}

/** A result in a chart; `time` is in seconds, the lab's wall clock read as UTC. */
export interface Point {
  time: number;
  date: string;
  result: ClinicalResult;
}

/** A line of a chart: one series, oldest point first. */
export interface Line {
  series: string;
  method: string | null;
  points: readonly Point[];
}

/** One chart: the lines of a test in one unit. Its lines are never connected. */
export interface Plot {
  key: string;
  name: string;
  unit: string | null;
  lines: readonly Line[];
}

const toSeconds = (date: string): number => Date.parse(`${date}Z`) / 1000;

function buildLine(row: SeriesRow<ClinicalResult>, columns: readonly OrderColumn[]): Line {
  const points = row.cells
    .map((result, index) => ({ result, date: columns[index]?.date ?? '' }))
    .filter((point): point is { result: ClinicalResult; date: string } => point.result !== null)
    .map((point) => ({ ...point, time: toSeconds(point.date) }))
    .reverse();
  return { series: row.series, method: row.newest.method, points };
}

/** Builds a chart per test and unit of these series, at the times of collection. */
export function buildPlots(
  { columns, rows }: SeriesTable<ClinicalResult>,
  selectedKeys: ReadonlySet<string>,
): Plot[] {
  const plots = new Map<string, { name: string; unit: string | null; lines: Line[] }>();
  for (const row of rows) {
    if (
      !selectedKeys.has(row.series) ||
      row.cells.every((cell) => (cell?.number ?? null) === null)
    ) {
      continue;
    }
    const { testId, name, unit } = row.newest;
    const key = `${testId}|${unit ?? ''}`;
    const plot = plots.get(key) ?? { name, unit, lines: [] };
    plot.lines.push(buildLine(row, columns));
    plots.set(key, plot);
  }
  return [...plots].map(([key, plot]) => ({ key, ...plot }));
}

/** The times at which any of the charts has a result, oldest first, each with its date. */
export function listTimes(plots: readonly Plot[]): { time: number; date: string }[] {
  const dates = new Map<number, string>();
  for (const { lines } of plots) {
    for (const { points } of lines) for (const { time, date } of points) dates.set(time, date);
  }
  return [...dates].map(([time, date]) => ({ time, date })).sort((a, b) => a.time - b.time);
}

/** Why a value cannot simply be compared with the one before, or ''. */
export function describeChange(result: ClinicalResult): string {
  const changes = [
    result.isUnitChanged && 'unit',
    result.isMethodChanged && 'method',
    result.isRangeChanged && 'range',
  ].filter(Boolean);
  return changes.length > 0 ? `new ${changes.join(' and ')}` : '';
}

/** A value in words: '5.6 mmol/L H, range 3.5 - 5.1'. */
export const describeValue = ({ result, unit, flag, referenceRange }: ClinicalResult): string =>
  [
    [result, unit, flag].filter(Boolean).join(' '),
    referenceRange ? `range ${referenceRange}` : 'no range',
  ].join(', ');
