import '@blueprintjs/table/lib/css/table.css';

import { Checkbox } from '@blueprintjs/core';
import {
  Column,
  Regions,
  RenderMode,
  SelectionModes,
  Table,
  type CellProps,
} from '@blueprintjs/table';
import { ResizeSensor } from '@blueprintjs/table/lib/esm/interactions/resizeSensor';
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';

import { observeSize } from '../../lib/observeSize';
import { EyeOpenIcon } from '../icons';
import styles from './grid.module.css';
import type { GridColumn } from './types';
import type { Grid } from './useGrid';
import { buildCellId, type ActiveCell } from './useGridKeys';

export interface GridBodyHandle {
  reveal: (cell: ActiveCell) => void;
}

/** The rows that are currently in the document. */
export interface VisibleRows {
  first: number;
  last: number;
}

interface GridBodyProps<Row> {
  gridId: string;
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  /** Returns the accessible name of a row. */
  nameRow: (row: Row) => string;
  widths: readonly number[];
  leadWidths: readonly number[];
  selectable: boolean;
  /** Whether rows open by an eye icon instead of a click (O 2.2, handhelds). */
  showsOpenIcon: boolean;
  active: ActiveCell;
  onActivate: (cell: ActiveCell) => void;
  onOpen: ((row: Row) => void) | undefined;
  onToggle: (row: number, range: boolean) => void;
  visibleRows: VisibleRows;
  onVisibleRowsChange: (rows: VisibleRows) => void;
  /** Called with the element that scrolls the rows, and with null when it is gone. */
  rowsRef: (element: Element | null) => void;
  ref: Ref<GridBodyHandle>;
}

/** Blueprint draws the rows once for each frozen area, and in full in the main quadrant. */
const ROWS = '.bp6-table-quadrant-main .bp6-table-quadrant-scroll-container';

export const ROW_HEIGHT_PX = 30;
export const TOUCH_ROW_HEIGHT_PX = 40;

interface GridCellProps extends CellProps {
  id: string;
  row: number;
  column: number;
  selected: boolean;
  active: boolean;
  onActivate: () => void;
  onCellClick: (event: React.MouseEvent) => void;
}

/** The content of a cell. A tooltip shows text that does not fit. */
function CellText({ children }: { children: ReactNode }) {
  return (
    <span className={styles['text']} title={typeof children === 'string' ? children : undefined}>
      {children}
    </span>
  );
}

/** One cell; Blueprint's table passes its position by `style` and class names. */
function GridCell({ id, row, column, selected, active, ...props }: GridCellProps) {
  return (
    // The grid around the cells handles the keys.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 1}
      tabIndex={active ? 0 : -1}
      className={`${props.className ?? ''} ${styles['cell']}`}
      style={props.style}
      data-row={row}
      data-selected={selected}
      onFocus={props.onActivate}
      onClick={props.onCellClick}
    >
      {props.children}
    </div>
  );
}

/**
 * Marks all cells of the row under the pointer, because Blueprint renders no elements for rows that
 * CSS could select. Returns a function that ends this.
 */
function markHoveredRow(root: HTMLElement): () => void {
  let hoveredRow: string | undefined;
  const mark = (row: string | undefined, isHovered: boolean) => {
    if (row === undefined) return;
    for (const cell of root.querySelectorAll(`[data-row="${row}"]`)) {
      cell.toggleAttribute('data-hovered', isHovered);
    }
  };
  const hover = (row: string | undefined) => {
    if (row === hoveredRow) return;
    mark(hoveredRow, false);
    mark(row, true);
    hoveredRow = row;
  };
  const handleMouseOver = (event: MouseEvent) =>
    hover((event.target as Element).closest<HTMLElement>('[data-row]')?.dataset['row']);
  const handleMouseLeave = () => hover(undefined);
  root.addEventListener('mouseover', handleMouseOver);
  root.addEventListener('mouseleave', handleMouseLeave);
  return () => {
    root.removeEventListener('mouseover', handleMouseOver);
    root.removeEventListener('mouseleave', handleMouseLeave);
  };
}

const detach = () => undefined;

/**
 * Makes Blueprint's table recompute its visible rows when its size changes. The table's own sensor
 * needs inline styles, which our pages forbid, but the table also recomputes on scroll events.
 * Returns a function that ends this.
 */
function measureOnResize(root: HTMLElement): () => void {
  return observeSize(root, () => {
    root.querySelector('.bp6-table-quadrant-scroll-container')?.dispatchEvent(new Event('scroll'));
  });
}

/** Turns off the table's own sensor, which browsers would log as a violation of the policy. */
function turnOffSensor(): void {
  ResizeSensor.attach = () => detach;
}

/** The rows of a grid, on Blueprint's Table, which renders only visible rows. */
export function GridBody<Row>({ ref, ...props }: GridBodyProps<Row>) {
  // The table attaches its sensor once it is drawn.
  useState(turnOffSensor);
  const { gridId, grid, columns, widths, leadWidths, selectable, showsOpenIcon, active, onOpen } =
    props;
  const table = useRef<Table>(null);
  const root = useRef<HTMLDivElement>(null);
  const { visibleRows } = props;
  const latestRows = useRef(visibleRows);

  useImperativeHandle(ref, () => ({
    reveal: ({ row, column }) => {
      if (row >= 0 && (row < visibleRows.first + 1 || row > visibleRows.last - 1)) {
        table.current?.scrollToRegion(Regions.cell(row, column));
      }
    },
  }));

  // Blueprint makes its container a tab stop; here the active cell is the only one.
  useEffect(() => {
    root.current?.querySelector('.bp6-table-container')?.removeAttribute('tabindex');
  });

  useEffect(() => {
    const element = root.current;
    return element === null ? undefined : markHoveredRow(element);
  }, []);

  useEffect(() => {
    const element = root.current;
    return element === null ? undefined : measureOnResize(element);
  }, []);

  const { rowsRef } = props;
  useLayoutEffect(() => {
    rowsRef(root.current?.querySelector(ROWS) ?? null);
    return () => rowsRef(null);
  }, [rowsRef]);

  const renderContent = (record: Row, column: number, isSelected: boolean) => {
    const definition = columns[column - leadWidths.length];
    if (definition) return <CellText>{definition.cell(record)}</CellText>;
    if (!selectable || column > 0) return <EyeOpenIcon title="Open" />;
    return (
      <Checkbox
        className={styles['check']}
        tabIndex={-1}
        aria-label={`Select ${props.nameRow(record)}`}
        checked={isSelected}
        readOnly
      />
    );
  };

  const renderCell = (row: number, column: number) => {
    const record = grid.rows[row];
    if (record === undefined) return <div />;
    const isSelected = grid.selected.has(grid.getRowId(record));
    return (
      <GridCell
        id={buildCellId(gridId, { row, column })}
        row={row}
        column={column}
        selected={isSelected}
        active={active.row === row && active.column === column}
        onActivate={() => props.onActivate({ row, column })}
        onCellClick={(event) => {
          if (selectable && column === 0) props.onToggle(row, event.shiftKey);
          else if (showsOpenIcon && column === leadWidths.length - 1) onOpen?.(record);
          else if (showsOpenIcon && selectable) props.onToggle(row, false);
          // The second click of a double click may be for a button of a dialog that has just closed.
          else if (event.detail < 2) onOpen?.(record);
        }}
      >
        {renderContent(record, column, isSelected)}
      </GridCell>
    );
  };

  const allWidths = [...leadWidths, ...widths];
  const rowHeight = showsOpenIcon ? TOUCH_ROW_HEIGHT_PX : ROW_HEIGHT_PX;
  return (
    <div ref={root} className={styles['body']} data-opens={onOpen !== undefined && !showsOpenIcon}>
      <Table
        ref={table}
        numRows={grid.rows.length}
        columnWidths={allWidths}
        rowHeights={grid.rows.map(() => rowHeight)}
        defaultRowHeight={rowHeight}
        enableColumnHeader={false}
        enableRowHeader={false}
        enableColumnResizing={false}
        enableRowResizing={false}
        enableMultipleSelection={false}
        selectionModes={SelectionModes.NONE}
        renderMode={RenderMode.NONE}
        cellRendererDependencies={[grid.rows, grid.selected, columns, active, showsOpenIcon]}
        // This is also called during rendering, when no state may change.
        onVisibleCellsChange={({ rowIndexStart, rowIndexEnd }) => {
          latestRows.current = { first: rowIndexStart, last: rowIndexEnd };
        }}
        onCompleteRender={() => props.onVisibleRowsChange(latestRows.current)}
      >
        {allWidths.map((_, index) => (
          <Column key={index} cellRenderer={renderCell} />
        ))}
      </Table>
    </div>
  );
}
