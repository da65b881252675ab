import { useQuery } from '@tanstack/react-query';

import { formatDate } from '../../../lib/dates';
import { lastValuesQuery, type ClinicalRow } from './api';
import styles from './LastValuesCell.module.css';
import { buildSeries, placePoints } from './series';

const SIZE = { width: 76, height: 16 };

interface LastValuesCellProps {
  orderId: number;
  row: ClinicalRow;
  /** When the specimen of this order was collected; null until it is known. */
  collectionDate: string | null;
}

/** The course of a test's last values, and the value before this order's with its date. */
export function LastValuesCell({ orderId, row, collectionDate }: LastValuesCellProps) {
  const { data } = useQuery(lastValuesQuery(orderId));
  const earlier = data?.find(({ key }) => key === row.key)?.values ?? [];
  const previous = earlier.at(-1);
  if (previous === undefined) return null;
  const points = placePoints(buildSeries(earlier, row, collectionDate), SIZE);
  return (
    <span className={styles['cell']}>
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        className={styles['line']}
        aria-hidden="true"
      >
        {points.length < 2 ? null : (
          <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
        )}
      </svg>
      <span className={`number ${styles['value']}`}>{previous.result}</span>
      <span className={styles['date']}>{formatDate(previous.collectionDate)}</span>
    </span>
  );
}
