import { Button, ProgressBar } from '@blueprintjs/core';
import { useCallback, useEffect, useId, useRef, useState } from 'react';

import { describe } from '../../api';
import { SearchIcon, WarningSignIcon } from '../icons';
import { useScreen } from '../useMedia';
import { GridBody, ROW_HEIGHT_PX, type DrawnRows, type GridBodyHandle } from './GridBody';
import { GridCards } from './GridCards';
import { GridHeader } from './GridHeader';
import { GridPager } from './GridPager';
import { GridRows } from './GridRows';
import styles from './grid.module.css';
import type { GridColumn } from './types';
import { useColumnLayout } from './useColumnLayout';
import type { Grid } from './useGrid';
import { useGridKeys, type ActiveCell } from './useGridKeys';

export interface DataGridProps<Row> {
  /** What the rows are, for assistive technology: 'Requisitions'. */
  label: string;
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  selectable?: boolean;
  /** A click or Enter on a desktop, an eye icon on handhelds. */
  onOpen?: ((row: Row) => void) | undefined;
  emptyText?: string;
  /** Before the first search. */
  idleText?: string;
}

const LEAD_WIDTH_PX = 38;
const ROWS_CLASS = '.bp6-table-quadrant-scroll-container';
const SKELETON_ROWS = 8;

/** What the rows' own scroll bar takes, beside which no column lies. */
function scrollBarWidth(): number {
  const probe = document.createElement('div');
  probe.style.cssText = 'position: absolute; visibility: hidden; width: 99px; overflow-y: scroll';
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}

/** Width of an element, kept up to date. */
function useWidth() {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, ref] as const;
}

/** A server-paged grid: sorting, filter row, selection, kept columns; cards on the phone. */
export function DataGrid<Row>({ label, grid, columns, ...props }: DataGridProps<Row>) {
  const selectable = props.selectable ?? false;
  const screen = useScreen();
  const gridId = useId();
  const layout = useColumnLayout(grid.name, columns);
  const [width, widthRef] = useWidth();
  const [scrollBar] = useState(scrollBarWidth);
  const header = useRef<HTMLDivElement>(null);
  const body = useRef<GridBodyHandle>(null);
  const lastToggled = useRef(0);

  const eye = screen !== 'desktop' && props.onOpen !== undefined;
  const lead = [...(selectable ? [LEAD_WIDTH_PX] : []), ...(eye ? [LEAD_WIDTH_PX] : [])];
  const leadWidth = lead.reduce((sum, one) => sum + one, 0);
  const widths = layout.widthsFor(width - leadWidth - scrollBar);

  const toggle = (row: number, range: boolean) => {
    const ids = grid.rows.map(grid.rowId);
    const id = ids[row];
    if (!selectable || id === undefined) return;
    const next = new Set(grid.selected);
    const on = !next.has(id);
    const [from, to] = range ? [lastToggled.current, row].sort((a, b) => a - b) : [row, row];
    for (const one of ids.slice(from, (to ?? row) + 1)) {
      if (on) next.add(one);
      else next.delete(one);
    }
    lastToggled.current = row;
    grid.select(next);
  };

  const reveal = useCallback((cell: ActiveCell) => body.current?.reveal(cell), []);
  const keys = useGridKeys({
    gridId,
    rowCount: grid.rows.length,
    columnCount: lead.length + layout.columns.length,
    rowsPerPage: 10,
    reveal,
    onOpen: (row) => {
      const record = grid.rows[row];
      if (record !== undefined) props.onOpen?.(record);
    },
    onToggle: (row) => toggle(row, false),
    onToggleAll: () => {
      if (selectable) grid.select(grid.rows.map(grid.rowId));
    },
  });
  const { active, setActive } = keys;
  useEffect(() => {
    if (active.row >= grid.rows.length) setActive({ row: -1, column: 0 });
  }, [active, grid.rows.length, setActive]);

  const [drawn, setDrawn] = useState<DrawnRows>({ first: 0, last: -1 });
  const draw = useCallback((next: DrawnRows) => {
    setDrawn((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  const columnCount = lead.length + layout.columns.length;
  const showsRows = grid.rows.length > 0 && grid.status === 'ready' && width > 0;

  const notice = <Notice grid={grid} emptyText={props.emptyText} idleText={props.idleText} />;
  if (screen === 'phone') {
    return (
      <div className={styles['phone']}>
        <Progress visible={grid.fetching} />
        {notice}
        <GridCards
          label={label}
          grid={grid}
          columns={layout.columns}
          selectable={selectable}
          onOpen={props.onOpen}
          onToggle={toggle}
        />
        <GridPager grid={grid} layout={null} />
      </div>
    );
  }
  return (
    <div className={styles['frame']}>
      <Progress visible={grid.fetching} />
      {/* One set of keys for the header, in the grid, and the cells, beside it. */}
      <div
        role="presentation"
        className={styles['grid']}
        ref={widthRef}
        onKeyDown={keys.onKeyDown}
        onScrollCapture={(event) => {
          // Blueprint's resize sensors scroll as well; only its rows count.
          const rows = (event.target as HTMLElement).closest(ROWS_CLASS);
          if (header.current && rows === event.target) header.current.scrollLeft = rows.scrollLeft;
        }}
      >
        <div
          role="grid"
          tabIndex={-1}
          aria-label={label}
          aria-rowcount={grid.totalIsCapped ? -1 : grid.total + 2}
          aria-colcount={columnCount}
          aria-multiselectable={selectable}
          aria-busy={grid.fetching}
          className={styles['gridHead']}
        >
          <GridHeader
            gridId={gridId}
            grid={grid}
            layout={layout}
            widths={widths}
            lead={lead}
            selectable={selectable}
            active={active}
            onActivate={setActive}
            scrollRef={header}
          />
          {showsRows ? (
            <GridRows
              gridId={gridId}
              grid={grid}
              columnCount={columnCount}
              selectable={selectable}
              drawn={drawn}
            />
          ) : null}
        </div>
        {showsRows ? (
          <GridBody
            // Blueprint's table measures its columns once for each set of them.
            key={layout.columns.map((column) => column.id).join()}
            ref={body}
            gridId={gridId}
            grid={grid}
            columns={layout.columns}
            widths={widths}
            lead={lead}
            selectable={selectable}
            eye={eye}
            active={active}
            onActivate={setActive}
            onOpen={props.onOpen}
            onToggle={toggle}
            drawn={drawn}
            onDraw={draw}
          />
        ) : null}
      </div>
      {notice}
      <GridPager grid={grid} layout={layout} />
    </div>
  );
}

function Progress({ visible }: { visible: boolean }) {
  return (
    <div className={styles['progress']} aria-hidden="true">
      {visible ? <ProgressBar intent="primary" /> : null}
    </div>
  );
}

interface NoticeProps<Row> {
  grid: Grid<Row>;
  emptyText: string | undefined;
  idleText: string | undefined;
}

/** What stands in place of rows: waiting, nothing found, or what went wrong. */
function Notice<Row>({ grid, emptyText, idleText }: NoticeProps<Row>) {
  if (grid.status === 'failed') {
    return (
      <div className={styles['notice']} role="alert">
        <div className={styles['message']}>
          <WarningSignIcon size={28} />
          {describe(grid.error)}
          <Button onClick={() => grid.refresh()}>Try again</Button>
        </div>
      </div>
    );
  }
  if (grid.status === 'loading') {
    return (
      <div className={styles['notice']}>
        <span className="visually-hidden" role="status">
          Loading
        </span>
        <div className={styles['skeleton']} aria-hidden="true">
          {Array.from({ length: SKELETON_ROWS }, (_, index) => (
            <div key={index} className="bp6-skeleton" style={{ height: ROW_HEIGHT_PX - 12 }} />
          ))}
        </div>
      </div>
    );
  }
  if (grid.rows.length > 0) return null;
  const idle = grid.status === 'idle';
  return (
    <div className={styles['notice']}>
      <div className={styles['message']}>
        <SearchIcon size={28} />
        {idle ? (idleText ?? 'Search to see rows') : (emptyText ?? 'No data')}
      </div>
    </div>
  );
}
