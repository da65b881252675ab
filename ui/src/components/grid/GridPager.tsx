import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core';

import { limits, messages, say } from '../../contract';
import {
  ArrowDownIcon,
  ArrowUpIcon,
  ChevronLeftIcon,
  ChevronRightIcon,
  ColumnLayoutIcon,
  RefreshIcon,
} from '../icons';
import { scrolledInWindow } from '../inWindow';
import { Popup } from '../Popup';
import styles from './grid.module.css';
import type { ColumnLayout } from './useColumnLayout';
import type { Grid } from './useGrid';

interface GridPagerProps<Row> {
  grid: Grid<Row>;
  /** Null for the cards of phones. */
  layout: ColumnLayout<Row> | null;
  /** Whether to show the number of selected rows, where no selection bar does. */
  showsCount: boolean;
}

const numberFormat = new Intl.NumberFormat('en-US');

/** Returns '21–40 of 3,000', or '10,000+' if the portal stopped counting. */
export function formatRange<Row>({ request, rows, total, totalIsCapped }: Grid<Row>): string {
  if (rows.length === 0) return 'No rows';
  const firstRow = request.page * request.pageSize + 1;
  const totalText = totalIsCapped
    ? `${numberFormat.format(limits.TOTAL_COUNT_CAP - 1)}+`
    : numberFormat.format(total);
  return `${numberFormat.format(firstRow)}–${numberFormat.format(firstRow + rows.length - 1)} of ${totalText}`;
}

/** Page size, range, previous and next page, refresh, and the column chooser. */
export function GridPager<Row>({ grid, layout, showsCount }: GridPagerProps<Row>) {
  const { request } = grid;
  return (
    <div className={styles['pager']}>
      <HTMLSelect
        iconName="caret-down"
        aria-label="Rows per page"
        value={request.pageSize}
        onChange={(event) => grid.change({ pageSize: Number(event.currentTarget.value) })}
      >
        {limits.PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size} rows
          </option>
        ))}
      </HTMLSelect>
      {showsCount && grid.selected.size > 0 ? (
        <span className={styles['selectedCount']}>{grid.selected.size} selected</span>
      ) : null}
      <span className={styles['space']} />
      <span role="status">
        {grid.changeCount > 0 ? (
          <Button variant="minimal" intent="primary" icon={<RefreshIcon />} onClick={grid.refresh}>
            {grid.changeCount === 1
              ? messages.ONE_CHANGE_WAITING
              : say(messages.CHANGES_WAITING, { count: numberFormat.format(grid.changeCount) })}
          </Button>
        ) : null}
      </span>
      <span role="status" className={styles['range']}>
        {grid.status === 'ready' ? formatRange(grid) : ''}
      </span>
      <Button
        variant="minimal"
        icon={<ChevronLeftIcon />}
        aria-label="Previous page"
        disabled={request.page === 0}
        onClick={() => grid.change({ page: request.page - 1 })}
      />
      <Button
        variant="minimal"
        icon={<ChevronRightIcon />}
        aria-label="Next page"
        disabled={!grid.hasNext}
        onClick={() => grid.change({ page: request.page + 1 })}
      />
      <Button
        variant="minimal"
        icon={<RefreshIcon />}
        aria-label="Refresh"
        disabled={grid.status === 'idle'}
        onClick={() => grid.refresh()}
      />
      {layout === null ? null : (
        <Popup
          placement="top-end"
          middleware={scrolledInWindow}
          content={() => <ColumnChooser layout={layout} />}
          renderTarget={({ isOpen, ref, ...target }) => (
            <Button
              {...target}
              ref={ref}
              variant="minimal"
              icon={<ColumnLayoutIcon />}
              aria-label="Columns"
              aria-expanded={isOpen}
            />
          )}
        />
      )}
    </div>
  );
}

/** Shows, hides and reorders columns without dragging. */
function ColumnChooser<Row>({ layout }: { layout: ColumnLayout<Row> }) {
  return (
    <div className={styles['chooser']}>
      <ul aria-label="Columns">
        {layout.allColumns.map((column, index) => (
          <li key={column.id}>
            <Checkbox
              checked={!layout.isHidden(column.id)}
              label={column.title}
              onChange={() => layout.toggle(column.id)}
            />
            <Button
              variant="minimal"
              size="small"
              icon={<ArrowUpIcon />}
              aria-label={`Move ${column.title} up`}
              disabled={index === 0}
              onClick={() => layout.move(column.id, -1)}
            />
            <Button
              variant="minimal"
              size="small"
              icon={<ArrowDownIcon />}
              aria-label={`Move ${column.title} down`}
              disabled={index === layout.allColumns.length - 1}
              onClick={() => layout.move(column.id, 1)}
            />
          </li>
        ))}
      </ul>
      <Button size="small" onClick={layout.reset}>
        Reset columns
      </Button>
    </div>
  );
}
