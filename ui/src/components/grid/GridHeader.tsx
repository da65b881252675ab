import { Checkbox } from '@blueprintjs/core';
import { useRef, useState, type RefObject } from 'react';

import type { SortKey } from '../../api';
import { SortAscIcon, SortDescIcon } from '../icons';
import { FilterBox } from './FilterBox';
import styles from './grid.module.css';
import type { GridColumn } from './types';
import type { ColumnLayout } from './useColumnLayout';
import type { Grid } from './useGrid';
import { cellId, type ActiveCell } from './useGridKeys';

interface GridHeaderProps<Row> {
  gridId: string;
  grid: Grid<Row>;
  layout: ColumnLayout<Row>;
  widths: readonly number[];
  /** Widths of the checkbox and eye columns before the data columns. */
  lead: readonly number[];
  selectable: boolean;
  active: ActiveCell;
  onActivate: (cell: ActiveCell) => void;
}

const KEY_STEP_PX = 16;

/** The header of a grid: sort buttons with drag, resize and reorder, and the filter row. */
export function GridHeader<Row>({
  scrollRef,
  ...props
}: GridHeaderProps<Row> & { scrollRef: RefObject<HTMLDivElement | null> }) {
  const { grid, layout, widths, lead, selectable, gridId } = props;
  const { rows, selected } = grid;
  const everySelected = rows.length > 0 && selected.size === rows.length;
  const hasFilters = layout.columns.some((column) => column.filter);
  return (
    <div className={styles['header']} ref={scrollRef}>
      <div role="row" aria-rowindex={1} className={styles['headerRow']}>
        {lead.map((width, index) => (
          <div
            key={index}
            role="columnheader"
            aria-colindex={index + 1}
            className={styles['headCell']}
            style={{ width }}
          >
            {selectable && index === 0 ? (
              <Checkbox
                id={cellId(gridId, { row: -1, column: 0 })}
                tabIndex={props.active.row === -1 && props.active.column === 0 ? 0 : -1}
                aria-label="Select all rows of this page"
                className={styles['check']}
                checked={everySelected}
                indeterminate={selected.size > 0 && !everySelected}
                disabled={rows.length === 0}
                onFocus={() => props.onActivate({ row: -1, column: 0 })}
                onChange={() => grid.select(everySelected ? [] : rows.map(grid.rowId))}
              />
            ) : (
              <span className="visually-hidden">Open</span>
            )}
          </div>
        ))}
        {layout.columns.map((column, index) => (
          <HeadCell
            key={column.id}
            {...props}
            column={column}
            index={lead.length + index}
            width={widths[index] ?? column.width}
          />
        ))}
      </div>
      {hasFilters ? (
        <div role="row" aria-rowindex={2} className={styles['filterRow']}>
          {lead.map((width, index) => (
            <div key={index} role="gridcell" className={styles['filterCell']} style={{ width }} />
          ))}
          {layout.columns.map((column, index) => (
            <div
              key={column.id}
              role="gridcell"
              className={styles['filterCell']}
              style={{ width: widths[index] }}
            >
              {column.filter ? (
                <FilterBox grid={grid} column={column} name={column.filter} />
              ) : null}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Unsorted, ascending, descending, and round again to ascending. */
function nextSort(sort: readonly SortKey[], column: string): SortKey[] {
  const current = sort[0];
  return [{ column, descending: current?.column === column ? !current.descending : false }];
}

interface HeadCellProps<Row> extends GridHeaderProps<Row> {
  column: GridColumn<Row>;
  index: number;
  width: number;
}

function HeadCell<Row>({ column, index, width, grid, layout, ...props }: HeadCellProps<Row>) {
  const sorted = grid.request.sort.find((key) => key.column === column.sort);
  const isActive = props.active.row === -1 && props.active.column === index;
  const drag = useRef<{ x: number; width: number } | null>(null);
  const [dropping, setDropping] = useState(false);
  const { sort } = column;

  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    if (event.shiftKey) layout.move(column.id, step);
    else layout.resize(column.id, width + step * KEY_STEP_PX);
  };

  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}
      className={styles['headCell']}
      data-dropping={dropping}
      style={{ width }}
    >
      <button
        type="button"
        id={cellId(props.gridId, { row: -1, column: index })}
        tabIndex={isActive ? 0 : -1}
        className={styles['headButton']}
        aria-disabled={sort === undefined ? true : undefined}
        draggable
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('text/column')) return;
          event.preventDefault();
          setDropping(true);
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={(event) => {
          setDropping(false);
          const moved = event.dataTransfer.getData('text/column');
          if (moved && moved !== column.id) layout.moveTo(moved, column.id);
        }}
        onDragStart={(event) => event.dataTransfer.setData('text/column', column.id)}
        onFocus={() => props.onActivate({ row: -1, column: index })}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (sort !== undefined) grid.change({ sort: nextSort(grid.request.sort, sort) });
        }}
      >
        <span className={styles['headText']}>{column.title}</span>
        {sorted ? sorted.descending ? <SortDescIcon size={12} /> : <SortAscIcon size={12} /> : null}
      </button>
      <div
        className={styles['resizer']}
        aria-hidden="true"
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, width };
        }}
        onPointerUp={(event) => {
          if (drag.current) {
            layout.resize(column.id, drag.current.width + event.clientX - drag.current.x);
          }
          drag.current = null;
        }}
      />
    </div>
  );
}
