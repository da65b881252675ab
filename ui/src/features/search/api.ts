import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, buildColumnQuery, type Query } from '../../api';
import { limits, type Wire } from '../../contract';

/** How many rows of a search each status has. */
export type StatusCounts = Wire<'StatusCounts'>;

/** The rows of each status under a list's other filters; a new `run` loads them again. */
export const statusCountsQuery = (
  path: string,
  filters: Query,
  columns: Readonly<Record<string, string>>,
  run: number,
) =>
  queryOptions({
    queryKey: [path, filters, columns, run],
    queryFn: ({ signal }) =>
      api.get<StatusCounts>(path, { query: { ...filters, ...buildColumnQuery(columns) }, signal }),
    meta: { quiet: true },
  });

/** Reloads the counts of this path that are on screen. */
export const reloadStatusCounts = (queries: QueryClient, path: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: [path] });

const numberFormat = new Intl.NumberFormat('en-US');

interface StatusMask {
  value: string;
  label: string;
}

/**
 * Adds to each choice of statuses how many rows it shows. With too many rows, only the last choice
 * ('all') has a number.
 */
export const addCounts = (masks: readonly StatusMask[], counts: StatusCounts | undefined) =>
  masks.map((mask, index) => ({
    ...mask,
    count: counts && formatCount(Number(mask.value), index === masks.length - 1, counts),
  }));

function formatCount(mask: number, isAll: boolean, counts: StatusCounts): string | undefined {
  if (counts.totalIsCapped) {
    return isAll ? `${numberFormat.format(limits.TOTAL_COUNT_CAP - 1)}+` : undefined;
  }
  const ofMask = Object.entries(counts.counts).filter(([status]) => Number(status) & mask);
  const total = ofMask.reduce((sum, [, count]) => sum + count, 0);
  return numberFormat.format(isAll ? counts.totalCount : total);
}
