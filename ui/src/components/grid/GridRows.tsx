import type { DrawnRows } from './GridBody';
import type { Grid } from './useGrid';
import { cellId } from './useGridKeys';

interface GridRowsProps<Row> {
  gridId: string;
  grid: Grid<Row>;
  columnCount: number;
  selectable: boolean;
  drawn: DrawnRows;
}

const HEADER_ROWS = 2;

/**
 * The rows in view as assistive technology sees them; `aria-rowcount` tells of the others. Blueprint lays cells out flat; each row here owns
 * its drawn cells by id, and the cells stand outside the grid's element so that they have one
 * parent only.
 */
export function GridRows<Row>({ gridId, grid, columnCount, ...props }: GridRowsProps<Row>) {
  const { selectable, drawn } = props;
  return (
    <div className="visually-hidden">
      {grid.rows.map((record, row) => {
        if (row < drawn.first || row > drawn.last) return null;
        const cells = Array.from({ length: columnCount }, (_, column) =>
          cellId(gridId, { row, column }),
        );
        return (
          <div
            key={grid.rowId(record)}
            role="row"
            aria-rowindex={row + 1 + HEADER_ROWS}
            aria-selected={selectable ? grid.selected.has(grid.rowId(record)) : undefined}
            aria-owns={cells.join(' ')}
          />
        );
      })}
    </div>
  );
}
