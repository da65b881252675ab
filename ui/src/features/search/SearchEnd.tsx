import { Button } from '@blueprintjs/core';

import type { PageRequest } from '../../api';
import { hasColumnFilters } from '../../components/grid/useGrid';
import { CrossIcon } from '../../components/icons';
import { messages, say } from '../../contract';
import { getLastDays, getWiderDays, type Period } from '../../lib/period';
import styles from './recordFilters.module.css';

interface SearchEndProps {
  search: {
    /** The days that were searched; null before the first search. */
    period: Period | null;
    apply: (change: Period) => void;
    narrowings: readonly { text: string; remove: () => void }[];
    grid: { rows: readonly unknown[]; request: PageRequest };
  };
}

/**
 * Shown after the last row of a search: the next wider period and, without rows, the filters that
 * may hide them.
 */
export function SearchEnd({ search: { period, apply, narrowings, grid } }: SearchEndProps) {
  const isEmpty = grid.rows.length === 0;
  const days = period && getWiderDays(period);
  return (
    <>
      {period === null || days === null ? null : (
        <div className={styles['suggestion']}>
          {isEmpty || hasColumnFilters(grid.request) ? null : (
            <span className="quiet">{messages.SEARCH_PERIOD_ENDS}</span>
          )}
          <Button
            variant="minimal"
            intent="primary"
            onClick={() => apply(getLastDays(days, period))}
          >
            {say(messages.SEARCH_WIDER_PERIOD, { days })}
          </Button>
        </div>
      )}
      {isEmpty && narrowings.length > 0 ? (
        <div className={styles['suggestion']}>
          <span>{messages.SEARCH_FILTERS_HIDE}</span>
          {narrowings.map(({ text, remove }) => (
            <Button
              key={text}
              variant="outlined"
              size="small"
              endIcon={<CrossIcon />}
              aria-label={`Remove ${text}`}
              onClick={remove}
            >
              {text}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
}
