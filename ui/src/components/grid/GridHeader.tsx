import { Checkbox } from '@blueprintjs/core';
import { useId, useRef, useState, type RefObject } from 'react';

import type { SortKey } from '../../api';
import { SortAscIcon, SortDescIcon } from '../icons';
import { FilterBox } from './FilterBox';
import styles from './grid.module.css';
import { explainBoundedSort, type GridColumn } from './types';
import type { ColumnLayout } from './useColumnLayout';
import type { Grid } from './useGrid';
import { buildCellId, type ActiveCell } from './useGridKeys';

interface GridHeaderProps<Row> {
  gridId: string;
  grid: Grid<Row>;
  layout: ColumnLayout<Row>;
  widths: readonly number[];
  /** Widths of the checkbox and eye columns in front of the data columns. */
  leadWidths: readonly number[];
  selectable: boolean;
  active: ActiveCell;
  onActivate: (cell: ActiveCell) => void;
}

const KEY_STEP_PX = 16;
const KEY_STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The header of a grid: sort buttons that can be dragged and resized, and the filter row. */
export function GridHeader<Row>({
  scrollRef,
  ...props
}: GridHeaderProps<Row> & { scrollRef: RefObject<HTMLDivElement | null> }) {
  const { grid, layout, widths, leadWidths, selectable, gridId } = props;
  const { rows, selected } = grid;
  const areAllSelected = rows.length > 0 && selected.size === rows.length;
  const hasFilters = layout.columns.some((column) => column.filter);
  return (
    <div className={styles['header']} ref={scrollRef}>
      <div role="row" aria-rowindex={1} className={styles['headerRow']}>
        {leadWidths.map((width, index) => (
          <div
            key={index}
            role="columnheader"
            aria-colindex={index + 1}
            className={styles['headCell']}
            style={{ width }}
          >
            {selectable && index === 0 ? (
              <Checkbox
                id={buildCellId(gridId, { row: -1, column: 0 })}
                tabIndex={props.active.row === -1 && props.active.column === 0 ? 0 : -1}
                aria-label="Select all rows of this page"
                className={styles['check']}
                checked={areAllSelected}
                indeterminate={selected.size > 0 && !areAllSelected}
                disabled={rows.length === 0}
                onFocus={() => props.onActivate({ row: -1, column: 0 })}
                onChange={() => grid.select(areAllSelected ? [] : rows.map(grid.getRowId))}
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
            index={leadWidths.length + index}
            width={widths[index] ?? column.width}
          />
        ))}
      </div>
      {hasFilters ? (
        <div role="row" aria-rowindex={2} className={styles['filterRow']}>
          {leadWidths.map((width, index) => (
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
                <FilterBox key={grid.clearCount} grid={grid} column={column} name={column.filter} />
              ) : null}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Returns the next sort order: ascending first, then alternating. */
function getNextSort(sort: readonly SortKey[], column: string): SortKey[] {
  const current = sort[0];
  return [{ column, descending: current?.column === column ? !current.descending : false }];
}

interface HeadCellProps<Row> extends GridHeaderProps<Row> {
  column: GridColumn<Row>;
  index: number;
  width: number;
}

function HeadCell<Row>({ column, index, width, grid, layout, ...props }: HeadCellProps<Row>) {
  const sortKey = grid.request.sort.find((key) => key.column === column.sort);
  const isActive = props.active.row === -1 && props.active.column === index;
  const drag = useRef<{ x: number; width: number } | null>(null);
  const [isDropTarget, setIsDropTarget] = useState(false);
  const { sort } = column;
  const reasonId = useId();
  const isUnavailable = sort !== undefined && grid.unavailableSorts.includes(sort);
  const reason = explainBoundedSort(column.title);
  const direction = sortKey?.descending ? 'descending' : 'ascending';
  const sortIcon = sortKey?.descending ? <SortDescIcon size={12} /> : <SortAscIcon size={12} />;

  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = KEY_STEPS[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    if (event.shiftKey) layout.move(column.id, step);
    else layout.resize(column.id, width + step * KEY_STEP_PX);
  };

  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={sortKey ? direction : undefined}
      className={styles['headCell']}
      data-dropping={isDropTarget}
      style={{ width }}
    >
      <button
        type="button"
        id={buildCellId(props.gridId, { row: -1, column: index })}
        tabIndex={isActive ? 0 : -1}
        className={styles['headButton']}
        data-end-aligned={column.isEndAligned}
        aria-disabled={sort === undefined || isUnavailable ? true : undefined}
        aria-describedby={isUnavailable ? reasonId : undefined}
        title={
          [column.description, isUnavailable && reason].filter(Boolean).join('. ') || undefined
        }
        draggable
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('text/column')) return;
          event.preventDefault();
          setIsDropTarget(true);
        }}
        onDragLeave={() => setIsDropTarget(false)}
        onDrop={(event) => {
          setIsDropTarget(false);
          const draggedId = event.dataTransfer.getData('text/column');
          if (draggedId && draggedId !== column.id) layout.moveTo(draggedId, column.id);
        }}
        onDragStart={(event) => event.dataTransfer.setData('text/column', column.id)}
        onFocus={() => props.onActivate({ row: -1, column: index })}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (sort !== undefined && !isUnavailable)
            grid.change({ sort: getNextSort(grid.request.sort, sort) });
        }}
      >
        <span className={styles['headText']}>{column.title}</span>
        {sortKey ? sortIcon : null}
      </button>
      {isUnavailable ? (
        <span id={reasonId} className="visually-hidden">
          {reason}
        </span>
      ) : null}
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
