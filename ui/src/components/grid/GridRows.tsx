import type { VisibleRows } from './GridBody';
import type { Grid } from './useGrid';
import { buildCellId } from './useGridKeys';

interface GridRowsProps<Row> {
  gridId: string;
  grid: Grid<Row>;
  columnCount: number;
  selectable: boolean;
  visibleRows: VisibleRows;
}

const HEADER_ROWS = 2;

/**
 * The visible rows for assistive technology; `aria-rowcount` covers the others. Blueprint renders
 * cells flat, so each row here owns its cells by id. The cells are outside the grid element, so
 * that each has only one parent.
 */
export function GridRows<Row>({ gridId, grid, columnCount, ...props }: GridRowsProps<Row>) {
  const { selectable, visibleRows } = props;
  return (
    <div className="visually-hidden">
      {grid.rows.map((record, row) => {
        if (row < visibleRows.first || row > visibleRows.last) return null;
        const cells = Array.from({ length: columnCount }, (_, column) =>
          buildCellId(gridId, { row, column }),
        );
        return (
          <div
            key={grid.getRowId(record)}
            role="row"
            aria-rowindex={row + 1 + HEADER_ROWS}
            aria-selected={selectable ? grid.selected.has(grid.getRowId(record)) : undefined}
            aria-owns={cells.join(' ')}
          />
        );
      })}
    </div>
  );
}
