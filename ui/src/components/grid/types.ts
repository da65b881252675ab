import type { ReactNode } from 'react';

import { limits, messages, say } from '../../contract';
import { formatNumber } from '../../lib/quantities';

const CODE_COLUMN = 'code';

/** Returns the accessible name of a row: its code, or else its first cell value that is text. */
export function getRowName<Row>(columns: readonly GridColumn<Row>[], row: Row): string {
  const codeColumns = columns.filter(({ id }) => id === CODE_COLUMN);
  for (const column of [...codeColumns, ...columns]) {
    const value = column.cell(row);
    if (typeof value === 'string' && value !== '') return value;
  }
  return 'row';
}

/** Returns why too many rows cannot be sorted by the column with this title. */
export const explainBoundedSort = (title: string): string =>
  say(messages.SORT_TOO_MANY_ROWS, {
    max: formatNumber(limits.TOTAL_COUNT_CAP - 1),
    name: title,
  });

/** A value of `column.<name>` on the wire, and its text for people. */
export interface FilterChoice {
  value: string;
  label: string;
}

/** One column of a `DataGrid`. */
export interface GridColumn<Row> {
  /** A stable id; widths and order are saved under it. */
  id: string;
  title: string;
  /** What the title means, shown while its header is hovered. */
  description?: string;
  /** Preferred width in pixels; texts grow together to fill the grid. */
  width: number;
  /** Whether it keeps its width, because its values have similar lengths: codes, dates, tags. */
  rigid?: boolean;
  /** How much faster it grows than other texts, because its values are long; by default 1. */
  growth?: number;
  /** The column does not shrink below this width; by default a text may shrink a little. */
  minWidth?: number;
  /** If the columns do not fit, those with the highest number are dropped first. */
  dropOrder?: number;
  /** Whether it is hidden until the user shows it, because it says little to this user. */
  optional?: boolean;
  cell: (row: Row) => ReactNode;
  /** The value on a phone's card, where nothing hovers; by default that of the cell. */
  cardCell?: (row: Row) => ReactNode;
  /** Whether the title aligns with values at the right edge, such as numbers with units. */
  isEndAligned?: boolean;
  /** The sort key on the wire; without it the column cannot be sorted. */
  sort?: string;
  /** The name in `column.<name>` on the wire; without it there is no filter box. */
  filter?: string;
  filterHint?: string;
  /** `date`: the filter box waits for a complete MM/DD/YYYY. */
  filterKind?: 'date';
  /** Offers these values to filter by, instead of a box for text. */
  filterChoices?: readonly FilterChoice[];
  /** Where a phone's card shows the value; by default on a separate line. */
  card?: 'title' | 'aside' | 'hidden';
}
