import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

import { messages, ResultStatus, say, type Withholding } from '../../contract';
import { isEqual } from '../../lib/equality';
import { orderQuery } from '../orders/api';
import { clinicalResultsQuery } from './clinical/api';
import { microbiologyResultsQuery } from './microbiology/api';
import { pathologyResultsQuery } from './pathology/api';
import { toxicologyRowsQuery } from './toxicology/api';
import { nameWithheld } from './withheld';

/** What clinical results and those of drug tests have in common. */
interface ValueRow {
  key: number | string;
  name: string;
  result: string | null;
  unit: string | null;
  flag?: string | null;
  comment?: string | null;
  status: number;
  withheld: Withholding | null;
  awaitsCollection: boolean;
  isPanel: boolean;
}

/** Keeps a value, its unit, and its flag on one line. */
const NO_BREAK = '\u00a0';

const describeRow = (row: ValueRow): string => {
  if (row.status === ResultStatus.CANCELED) return 'CANCELED';
  if (row.withheld !== null) return nameWithheld(row.withheld);
  if (row.result !== null) return [row.result, row.unit, row.flag].filter(Boolean).join(NO_BREAK);
  return row.awaitsCollection ? messages.SPECIMEN_NEEDED : 'PENDING';
};

/** Names the values that differ from those shown, with both: 'K: 4.1 N, now 6.8 HH'. */
export function listValueChanges(
  shown: readonly ValueRow[],
  current: readonly ValueRow[],
): string[] {
  const shownRows = new Map(shown.map((row) => [row.key, row]));
  return current.flatMap((row) => {
    const shownRow = shownRows.get(row.key);
    if (row.isPanel || shownRow === undefined) return [];
    const [before, after] = [describeRow(shownRow), describeRow(row)];
    if (before !== after) return [say(messages.RESULT_CHANGED, { name: row.name, before, after })];
    return (shownRow.comment ?? null) === (row.comment ?? null)
      ? []
      : [say(messages.RESULT_COMMENT_CHANGED, { name: row.name })];
  });
}

/** Names the cultures or reports that differ from those that were shown. */
export function listReportChanges(
  shown: readonly { name: string }[],
  current: readonly { name: string }[],
): string[] {
  return current
    .filter((report, index) => shown[index] !== undefined && !isEqual(report, shown[index]))
    .map(({ name }) => name);
}

/** Lists what changed between two answers of one query, whose type only the query knows. */
type ListChanges = (shown: never, current: never) => string[];

const buildComparisons = (orderId: number): readonly [readonly unknown[], ListChanges][] => [
  [clinicalResultsQuery(orderId).queryKey, listValueChanges],
  [toxicologyRowsQuery(orderId, 'alpha-results').queryKey, listValueChanges],
  [microbiologyResultsQuery(orderId).queryKey, listReportChanges],
  [pathologyResultsQuery(orderId).queryKey, listReportChanges],
];

/**
 * Follows the results of an open order, and says what differs from the results that this page showed
 * first. The page loads changed results by itself, and a changed value may be outside the window.
 * `accept` makes the current results the shown ones.
 */
export function useResultChanges(orderId: number): {
  changes: readonly string[];
  accept: () => void;
} {
  const queries = useQueryClient();
  const shown = useRef(new Map<string, unknown>());
  const [changes, setChanges] = useState<readonly string[]>([]);
  const compare = useCallback(() => {
    const newChanges = buildComparisons(orderId).flatMap(([queryKey, listChanges]) => {
      const current = queries.getQueryData(queryKey);
      const name = JSON.stringify(queryKey);
      if (current === undefined) return [];
      if (!shown.current.has(name)) shown.current.set(name, current);
      return listChanges(shown.current.get(name) as never, current as never);
    });
    setChanges((last) => (isEqual(last, newChanges) ? last : newChanges));
  }, [queries, orderId]);
  useEffect(() => {
    compare();
    const prefix = orderQuery(orderId).queryKey;
    return queries.getQueryCache().subscribe(({ type, query }) => {
      const queryKey = query.queryKey as readonly unknown[];
      if (type === 'updated' && prefix.every((part, index) => queryKey[index] === part)) compare();
    });
  }, [queries, orderId, compare]);
  return {
    changes,
    accept: () => {
      shown.current.clear();
      compare();
    },
  };
}
