import { Button, ProgressBar } from '@blueprintjs/core';
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { describeError } from '../../api';
import { messages } from '../../contract';
import { observeSize } from '../../lib/observeSize';
import { SearchIcon, WarningSignIcon } from '../icons';
import { focusHome, useLostFocus } from '../lostFocus';
import type { PageAction } from '../PageToolbar';
import { useScreen } from '../useMedia';
import { GridBody, ROW_HEIGHT_PX, type VisibleRows, type GridBodyHandle } from './GridBody';
import { GridCards } from './GridCards';
import { GridHeader } from './GridHeader';
import { GridPager } from './GridPager';
import { GridRows } from './GridRows';
import { GridTip } from './GridTip';
import { SelectionBar } from './SelectionBar';
import styles from './grid.module.css';
import { explainBoundedSort, getRowName, type GridColumn } from './types';
import { useColumnLayout } from './useColumnLayout';
import { hasColumnFilters, type Grid } from './useGrid';
import { useGridKeys, type ActiveCell } from './useGridKeys';

export interface DataGridProps<Row> {
  /** What the rows are, for assistive technology: 'Requisitions'. */
  label: string;
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  selectable?: boolean;
  /** Opens a row: by click or Enter on desktops, by an eye icon on handhelds. */
  onOpen?: ((row: Row) => void) | undefined;
  /** What can be done with the selected rows. Handhelds have it in the screen's speed dial. */
  actions?: readonly PageAction[];
  /** Shown after the last row, where it scrolls with the rows, and where there are no rows. */
  end?: ReactNode;
  /** Whether the filters have changed since the rows were searched for. */
  isOutdated?: boolean;
  emptyText?: string;
  /** Shown instead of the failure, if the form shows the failure at its fields. */
  rejectedText?: string | undefined;
  /** Shown before the first search. */
  idleText?: string;
  /** Called with the user's order of the columns, on a screen that chooses and stores them. */
  onReorder?: (ids: string[]) => void;
}

const LEAD_WIDTH_PX = 38;
const ROWS_CLASS = '.bp6-table-quadrant-scroll-container';
const SKELETON_ROWS = 8;
/** The rows by which Page Up and Page Down move. */
const PAGE_KEY_ROWS = 10;

/** Measures the rows' scroll bar, which reduces the width available to columns. */
function measureScrollBar(): number {
  const probe = document.createElement('div');
  probe.style.cssText = 'position: absolute; visibility: hidden; width: 99px; overflow-y: scroll';
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}

/** Finds the columns by which the rows are filtered or sorted. */
function findUsedColumns<Row>({ request }: Grid<Row>, columns: readonly GridColumn<Row>[]) {
  const isUsed = ({ filter, sort }: GridColumn<Row>) =>
    (filter !== undefined && (request.columns[filter] ?? '') !== '') ||
    request.sort.some((key) => key.column === sort);
  return new Set(columns.filter(isUsed).map(({ id }) => id));
}

/** Returns the current width of an element and a ref for it. */
function useWidth() {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    return observeSize(element, measure);
  }, []);
  return [width, ref] as const;
}

/** A server-paged grid: sorting, filter row, selection, saved column layout; cards on phones. */
export function DataGrid<Row>({ label, grid, columns, ...props }: DataGridProps<Row>) {
  const selectable = props.selectable ?? false;
  const screen = useScreen();
  const gridId = useId();
  const [width, widthRef] = useWidth();
  const [scrollBarWidth] = useState(measureScrollBar);
  const header = useRef<HTMLDivElement>(null);
  const body = useRef<GridBodyHandle>(null);
  const lastToggledRow = useRef(0);

  const showsOpenIcon = screen !== 'desktop' && props.onOpen !== undefined;
  const leadWidths = [
    ...(selectable ? [LEAD_WIDTH_PX] : []),
    ...(showsOpenIcon ? [LEAD_WIDTH_PX] : []),
  ];
  const totalLeadWidth = leadWidths.reduce((sum, leadWidth) => sum + leadWidth, 0);
  // The cards of phones have room for every value.
  const isMeasured = width > 0 && screen !== 'phone';
  const available = isMeasured ? width - totalLeadWidth - scrollBarWidth : 0;
  const layout = useColumnLayout(grid.name, columns, {
    available,
    used: findUsedColumns(grid, columns),
    onReorder: props.onReorder,
  });
  const widths = layout.computeWidths(available);

  const toggle = (row: number, isRange: boolean) => {
    const ids = grid.rows.map(grid.getRowId);
    const id = ids[row];
    if (!selectable || id === undefined) return;
    const next = new Set(grid.selected);
    const isSelected = !next.has(id);
    const [from, to] = isRange ? [lastToggledRow.current, row].sort((a, b) => a - b) : [row, row];
    for (const rangeId of ids.slice(from, (to ?? row) + 1)) {
      if (isSelected) next.add(rangeId);
      else next.delete(rangeId);
    }
    lastToggledRow.current = row;
    grid.select(next);
  };

  const reveal = useCallback((cell: ActiveCell) => body.current?.reveal(cell), []);
  const keys = useGridKeys({
    gridId,
    rowCount: grid.rows.length,
    columnCount: leadWidths.length + layout.columns.length,
    rowsPerPage: PAGE_KEY_ROWS,
    reveal,
    onOpen: (row) => {
      const record = grid.rows[row];
      if (record !== undefined) props.onOpen?.(record);
    },
    onToggle: (row) => toggle(row, false),
    onToggleAll: () => {
      if (selectable) grid.select(grid.rows.map(grid.getRowId));
    },
  });
  const { active, setActive } = keys;
  useEffect(() => {
    if (active.row >= grid.rows.length) setActive({ row: -1, column: 0 });
  }, [active, grid.rows.length, setActive]);

  const [visibleRows, setVisibleRows] = useState<VisibleRows>({ first: 0, last: -1 });
  const updateVisibleRows = useCallback((next: VisibleRows) => {
    setVisibleRows((current) =>
      current.first === next.first && current.last === next.last ? current : next,
    );
  }, []);
  // The element that scrolls the rows.
  const [rowsElement, setRowsElement] = useState<Element | null>(null);
  const columnCount = leadWidths.length + layout.columns.length;
  const showsRows = grid.rows.length > 0 && grid.status === 'ready' && width > 0;

  const frame = useRef<HTMLDivElement>(null);
  const isActing = props.actions?.some(({ loading }) => loading) ?? false;
  useLostFocus(frame, isActing, () => {
    if (frame.current) focusHome(frame.current);
  });
  const endContent = hasColumnFilters(grid.request) ? (
    <>
      <FilterRowHint onClear={() => grid.clearFilterRow('now')} />
      {props.end}
    </>
  ) : (
    props.end
  );
  const notice = (
    <Notice
      grid={grid}
      columns={columns}
      emptyText={props.emptyText}
      rejectedText={props.rejectedText}
      idleText={props.idleText}
      end={endContent}
    />
  );
  const isAtEnd = grid.status === 'ready' && grid.rows.length > 0 && !grid.hasNext;
  const end = isAtEnd && endContent ? <div className={styles['end']}>{endContent}</div> : null;
  const outdatedNotice =
    props.isOutdated && grid.status === 'ready' ? (
      <div className={styles['outdated']}>{messages.SEARCH_OUTDATED}</div>
    ) : null;
  // A row is named by its code, even where the code's column does not fit.
  const nameRow = (row: Row) => getRowName(columns, row);
  const hasBar = screen === 'desktop' && props.actions !== undefined;
  if (screen === 'phone') {
    return (
      <div className={styles['phone']} data-loading={grid.status === 'loading'}>
        <Progress visible={grid.isFetching} />
        <div role="status">{outdatedNotice}</div>
        {notice}
        <GridCards
          label={label}
          grid={grid}
          columns={layout.columns}
          nameRow={nameRow}
          selectable={selectable}
          onOpen={props.onOpen}
          onToggle={toggle}
        />
        {end}
        <GridPager grid={grid} layout={null} showsCount />
      </div>
    );
  }
  return (
    <div className={styles['frame']} ref={frame} data-focus-home>
      <Progress visible={grid.isFetching} />
      <div role="status">{outdatedNotice}</div>
      {/* The header is inside the grid and the cells are beside it; both share these keys. */}
      <div
        role="presentation"
        className={styles['grid']}
        ref={widthRef}
        onKeyDown={keys.onKeyDown}
        onScrollCapture={(event) => {
          // Elements of Blueprint's resize sensors scroll too; follow the rows only.
          const rows = (event.target as HTMLElement).closest(ROWS_CLASS);
          if (header.current && rows === event.target) header.current.scrollLeft = rows.scrollLeft;
        }}
      >
        <GridTip />
        <div
          role="grid"
          tabIndex={-1}
          aria-label={label}
          aria-rowcount={grid.totalIsCapped ? -1 : grid.total + 2}
          aria-colcount={columnCount}
          aria-multiselectable={selectable}
          aria-busy={grid.isFetching}
          className={styles['gridHead']}
        >
          <GridHeader
            gridId={gridId}
            grid={grid}
            layout={layout}
            widths={widths}
            leadWidths={leadWidths}
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
              visibleRows={visibleRows}
            />
          ) : null}
        </div>
        {showsRows ? (
          <GridBody
            // Blueprint's table measures its columns once per set of columns.
            key={layout.columns.map((column) => column.id).join()}
            ref={body}
            gridId={gridId}
            grid={grid}
            columns={layout.columns}
            nameRow={nameRow}
            widths={widths}
            leadWidths={leadWidths}
            selectable={selectable}
            showsOpenIcon={showsOpenIcon}
            active={active}
            onActivate={setActive}
            onOpen={props.onOpen}
            onToggle={toggle}
            visibleRows={visibleRows}
            onVisibleRowsChange={updateVisibleRows}
            rowsRef={setRowsElement}
          />
        ) : null}
      </div>
      {notice}
      {end && rowsElement ? createPortal(end, rowsElement) : null}
      {hasBar && grid.selected.size > 0 ? (
        <SelectionBar
          label={label}
          count={grid.selected.size}
          actions={props.actions ?? []}
          onClear={({ detail }) => {
            // The keyboard goes back to its row, which Tab may have scrolled out of view.
            if (detail === 0) keys.focusActive();
            grid.select([]);
          }}
        />
      ) : null}
      <GridPager grid={grid} layout={props.onReorder ? null : layout} showsCount={!hasBar} />
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

/** Says that the filter row may hide rows, since few people look there for missing rows. */
function FilterRowHint({ onClear }: { onClear: () => void }) {
  return (
    <div className={styles['filterHint']}>
      {messages.FILTER_ROW_HIDES}
      <Button variant="minimal" intent="primary" onClick={onClear}>
        Clear the filter row
      </Button>
    </div>
  );
}

/** Says why the rows could not be loaded; the portal knows no titles of columns. */
function explainFailure<Row>(grid: Grid<Row>, columns: readonly GridColumn<Row>[]): string | null {
  const sortKey = grid.request.sort[0]?.column;
  const sortedColumn = columns.find(({ sort }) => sort !== undefined && sort === sortKey);
  return grid.isSortRejected && sortedColumn
    ? explainBoundedSort(sortedColumn.title)
    : describeError(grid.error);
}

interface NoticeProps<Row> {
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  emptyText: string | undefined;
  rejectedText: string | undefined;
  idleText: string | undefined;
  end: ReactNode;
}

/** Shown in place of rows: loading, nothing to show, or the failure. */
function Notice<Row>({ grid, columns, end, ...texts }: NoticeProps<Row>) {
  const { emptyText, rejectedText, idleText } = texts;
  if (grid.status === 'failed' && rejectedText !== undefined) {
    return (
      <div className={styles['notice']}>
        <div className={styles['message']}>
          <SearchIcon size={28} />
          {rejectedText}
        </div>
      </div>
    );
  }
  if (grid.status === 'failed') {
    return (
      <div className={styles['notice']} role="alert">
        <div className={styles['message']}>
          <WarningSignIcon size={28} />
          {explainFailure(grid, columns)}
          {grid.isSortRejected ? (
            <Button onClick={grid.resetSort}>Show in the default order</Button>
          ) : (
            <Button onClick={() => grid.refresh()}>Try again</Button>
          )}
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
  const isIdle = grid.status === 'idle';
  return (
    <div className={styles['notice']}>
      <div className={styles['message']}>
        <SearchIcon size={28} />
        {isIdle ? (idleText ?? 'Search to see rows') : (emptyText ?? 'No data')}
        {isIdle ? null : end}
      </div>
    </div>
  );
}
