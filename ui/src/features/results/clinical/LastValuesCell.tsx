import { formatDate } from '../../../lib/dates';
import type { ClinicalRow } from './api';
import styles from './LastValuesCell.module.css';
import { buildSeries, placePoints, type SeriesValue } from './series';

const SIZE = { width: 76, height: 16 };

/** The class of the column, which has its width before the values come. */
export const lastValuesColumn = styles['column'];

interface LastValuesCellProps {
  /** The earlier values of the test, oldest first. */
  earlier: readonly SeriesValue[];
  row: ClinicalRow;
  /** When the specimen of this order was collected; null until it is known. */
  collectionDate: string | null;
}

/** The course of a test's last values, and the value before this order's with its date. */
export function LastValuesCell({ earlier, row, collectionDate }: LastValuesCellProps) {
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
