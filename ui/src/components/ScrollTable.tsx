import type { ReactNode } from 'react';

import styles from './ScrollTable.module.css';

interface ScrollTableProps {
  label: string;
  headers: readonly string[];
  /** The headers of columns of numbers. They align right, as the numbers do. */
  numbers?: readonly string[];
  /** Whether each cell has one line, and what does not fit is cut. */
  isDense?: boolean;
  /** The rows; a cell with `data-type="number"` aligns right, a `name` never wraps. */
  children: ReactNode;
}

/** A small table to read. It scrolls, so the keyboard can reach it. */
export function ScrollTable({
  label,
  headers,
  numbers = [],
  isDense = false,
  children,
}: ScrollTableProps) {
  return (
    <div className={styles['frame']} tabIndex={0} role="region" aria-label={label}>
      <table className={styles['table']} data-dense={isDense || undefined} aria-label={label}>
        <thead>
          <tr>
            {headers.map((header) => (
              <th
                key={header}
                scope="col"
                data-type={numbers.includes(header) ? 'number' : undefined}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
