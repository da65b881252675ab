import { Button } from '@blueprintjs/core';

import { messages, say } from '../../contract';
import { getLastDays, getWiderDays, type Period } from '../../lib/period';
import styles from './recordFilters.module.css';

interface WiderPeriodProps {
  search: {
    /** The days that were searched; null before the first search. */
    period: Period | null;
    apply: (change: Period) => void;
    grid: { rows: readonly unknown[] };
  };
}

/** Where the rows of a search end, or there are none: the next wider period. */
export function WiderPeriod({ search: { period, apply, grid } }: WiderPeriodProps) {
  const days = period && getWiderDays(period);
  if (period === null || days === null) return null;
  return (
    <div className={styles['wider']}>
      {grid.rows.length > 0 ? <span className="quiet">{messages.SEARCH_PERIOD_ENDS}</span> : null}
      <Button variant="minimal" intent="primary" onClick={() => apply(getLastDays(days, period))}>
        {say(messages.SEARCH_WIDER_PERIOD, { days })}
      </Button>
    </div>
  );
}
