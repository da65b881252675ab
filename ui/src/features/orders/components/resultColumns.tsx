import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { FlagMark, NoRangeMark } from '../../../components/FlagMark';
import type { GridColumn } from '../../../components/grid/types';
import { getTone, ToneText } from '../../../components/ResultTone';
import { messages, type Wire } from '../../../contract';
import { resultColumnsQuery, type OrderRow } from '../api';
import styles from './orders.module.css';
import { orderColumns } from './orderColumns';

const NONE: readonly Wire<'ResultColumn'>[] = [];

/**
 * Renders an order's released result of a test. Its tip shows the unit. The flag is never cut,
 * because a part of HH would read as H.
 */
function renderResult(row: OrderRow, testId: number) {
  const result = row.orderResults.find((candidate) => candidate.testId === testId);
  if (!result) return null;
  const tone = getTone(result);
  return (
    <span
      className={styles['result']}
      data-tip={
        result.hasNoRange
          ? `${result.reportAs}. ${messages.RESULT_NO_RANGE_REASON}`
          : [result.reportAs, result.flag].filter(Boolean).join(' ')
      }
    >
      <span className={styles['resultValue']}>
        <ToneText tone={tone}>{result.results}</ToneText>
      </span>
      <span className={styles['resultFlag']}>
        {result.hasNoRange ? <NoRangeMark /> : <FlagMark flag={result.flag} tone={tone} />}
      </span>
    </span>
  );
}

const buildColumn = ({ id, code, name }: Wire<'ResultColumn'>): GridColumn<OrderRow> => ({
  id: `result-${id}`,
  title: code,
  description: name,
  width: 108,
  rigid: true,
  isEndAligned: true,
  cell: (row) => renderResult(row, id),
  // Between those of `orderColumns` with 5 and 6.
  dropOrder: 5.5,
});

/** The columns of the order grids with those of the tests that the lab has chosen (R 2.1). */
export function useOrderColumns(): readonly GridColumn<OrderRow>[] {
  const { data: tests = NONE } = useQuery(resultColumnsQuery);
  return useMemo(() => {
    const index = orderColumns.findIndex(({ id }) => id === 'tests') + 1;
    return [
      ...orderColumns.slice(0, index),
      ...tests.map(buildColumn),
      ...orderColumns.slice(index),
    ];
  }, [tests]);
}
