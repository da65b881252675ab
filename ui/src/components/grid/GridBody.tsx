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
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';

import { EyeOpenIcon } from '../icons';
import styles from './grid.module.css';
import type { GridColumn } from './types';
import type { Grid } from './useGrid';
import { cellId, type ActiveCell } from './useGridKeys';

export interface GridBodyHandle {
  reveal: (cell: ActiveCell) => void;
}

/** The rows that are in the document just now. */
export interface DrawnRows {
  first: number;
  last: number;
}

interface GridBodyProps<Row> {
  gridId: string;
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  widths: readonly number[];
  lead: readonly number[];
  selectable: boolean;
  /** A row has an eye icon instead of opening by a click (O 2.2, handhelds). */
  eye: boolean;
  active: ActiveCell;
  onActivate: (cell: ActiveCell) => void;
  onOpen: ((row: Row) => void) | undefined;
  onToggle: (row: number, range: boolean) => void;
  drawn: DrawnRows;
  onDraw: (drawn: DrawnRows) => void;
  ref: Ref<GridBodyHandle>;
}

export const ROW_HEIGHT_PX = 30;
export const TOUCH_ROW_HEIGHT_PX = 40;

interface GridCellProps extends CellProps {
  id: string;
  column: number;
  selected: boolean;
  active: boolean;
  numeric: boolean;
  onActivate: () => void;
  onPick: (event: React.MouseEvent) => void;
}

/** What a cell shows; words that do not fit are read by pointing at them. */
function CellText({ children }: { children: ReactNode }) {
  return (
    <span className={styles['text']} title={typeof children === 'string' ? children : undefined}>
      {children}
    </span>
  );
}

/** One cell; Blueprint's table adds the place by `style` and its own classes. */
function GridCell({ id, column, selected, active, numeric, ...props }: GridCellProps) {
  return (
    // Keys are handled once, by the grid around the cells.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 1}
      tabIndex={active ? 0 : -1}
      className={`${props.className ?? ''} ${styles['cell']}`}
      style={props.style}
      data-selected={selected}
      data-numeric={numeric}
      onFocus={props.onActivate}
      onClick={props.onPick}
    >
      {props.children}
    </div>
  );
}

const ROW_CLASS = /bp6-table-cell-row-(\d+)/;

/**
 * Marks all cells of the row under the pointer; cells are laid out flat, so CSS alone can not.
 * Answers the function that stops it.
 */
function markHoveredRow(root: HTMLElement): () => void {
  let hovered: string | null = null;
  const mark = (row: string | null, on: boolean) => {
    if (row === null) return;
    for (const cell of root.querySelectorAll(`.bp6-table-cell-row-${row}`)) {
      cell.toggleAttribute('data-hovered', on);
    }
  };
  const hover = (row: string | null) => {
    if (row === hovered) return;
    mark(hovered, false);
    mark(row, true);
    hovered = row;
  };
  const over = (event: MouseEvent) => {
    const cell = (event.target as Element).closest('[class*="bp6-table-cell-row-"]');
    hover(ROW_CLASS.exec(cell?.className ?? '')?.[1] ?? null);
  };
  const leave = () => hover(null);
  root.addEventListener('mouseover', over);
  root.addEventListener('mouseleave', leave);
  return () => {
    root.removeEventListener('mouseover', over);
    root.removeEventListener('mouseleave', leave);
  };
}

/**
 * Lets Blueprint's table look again at how many rows fit when its size has changed: its own sensor
 * needs inline styles, which our pages refuse; the table looks when it is scrolled. Answers the
 * function that stops it.
 */
function measureOnResize(root: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    root.querySelector('.bp6-table-quadrant-scroll-container')?.dispatchEvent(new Event('scroll'));
  });
  observer.observe(root);
  return () => observer.disconnect();
}

/** The rows of a grid on Blueprint's Table, which draws only what is in view. */
export function GridBody<Row>({ ref, ...props }: GridBodyProps<Row>) {
  const { gridId, grid, columns, widths, lead, selectable, eye, active, onOpen } = props;
  const table = useRef<Table>(null);
  const root = useRef<HTMLDivElement>(null);
  const { drawn } = props;
  const visible = useRef(drawn);

  useImperativeHandle(ref, () => ({
    reveal: ({ row, column }) => {
      if (row >= 0 && (row < drawn.first + 1 || row > drawn.last - 1)) {
        table.current?.scrollToRegion(Regions.cell(row, column));
      }
    },
  }));

  // Blueprint makes its own container a tab stop; here the active cell is the only one.
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

  const render = (row: number, column: number) => {
    const record = grid.rows[row];
    if (record === undefined) return <div />;
    const definition = columns[column - lead.length];
    const isSelected = grid.selected.has(grid.rowId(record));
    return (
      <GridCell
        id={cellId(gridId, { row, column })}
        column={column}
        selected={isSelected}
        active={active.row === row && active.column === column}
        numeric={definition?.numeric ?? false}
        onActivate={() => props.onActivate({ row, column })}
        onPick={(event) => {
          if (selectable && column === 0) props.onToggle(row, event.shiftKey);
          else if (eye && column === lead.length - 1) onOpen?.(record);
          else if (eye && selectable) props.onToggle(row, false);
          else onOpen?.(record);
        }}
      >
        {definition ? (
          <CellText>{definition.cell(record)}</CellText>
        ) : selectable && column === 0 ? (
          <Checkbox
            className={styles['check']}
            tabIndex={-1}
            aria-label="Select row"
            checked={isSelected}
            readOnly
          />
        ) : (
          <EyeOpenIcon title="Open" />
        )}
      </GridCell>
    );
  };

  const allWidths = [...lead, ...widths];
  const rowHeight = eye ? TOUCH_ROW_HEIGHT_PX : ROW_HEIGHT_PX;
  return (
    <div ref={root} className={styles['body']} data-opens={onOpen !== undefined && !eye}>
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
        cellRendererDependencies={[grid.rows, grid.selected, columns, active, eye]}
        // Told in the middle of a drawing too, when nothing else may be drawn anew.
        onVisibleCellsChange={({ rowIndexStart, rowIndexEnd }) => {
          visible.current = { first: rowIndexStart, last: rowIndexEnd };
        }}
        onCompleteRender={() => props.onDraw(visible.current)}
      >
        {allWidths.map((_, index) => (
          <Column key={index} cellRenderer={render} />
        ))}
      </Table>
    </div>
  );
}
