import type { ReactNode } from 'react';

/** What a card is called by those who can not see it: its first value that is words. */
export function rowName<Row>(columns: readonly GridColumn<Row>[], row: Row): string {
  for (const column of columns) {
    const value = column.cell(row);
    if (typeof value === 'string' && value !== '') return value;
  }
  return 'row';
}

/** One column of a `DataGrid`. */
export interface GridColumn<Row> {
  /** Stable; widths and order are kept under it. */
  id: string;
  title: string;
  /** Preferred width in pixels; columns grow together to fill the grid. */
  width: number;
  cell: (row: Row) => ReactNode;
  /** Name of the sort key on the wire; without it the column can not be sorted. */
  sort?: string;
  /** Name of `column.<name>` on the wire; without it there is no filter box. */
  filter?: string;
  filterHint?: string;
  /** A date's filter box waits for a whole MM/DD/YYYY. */
  filterKind?: 'date';
  /** Codes and dates: figures of one width. */
  numeric?: boolean;
  /** Where the value goes on the phone's card; a plain line when absent. */
  card?: 'title' | 'aside' | 'hidden';
}
