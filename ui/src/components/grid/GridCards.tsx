import { Button, Checkbox } from '@blueprintjs/core';

import { EyeOpenIcon } from '../icons';
import styles from './grid.module.css';
import { rowName, type GridColumn } from './types';
import type { Grid } from './useGrid';

interface GridCardsProps<Row> {
  label: string;
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  selectable: boolean;
  onOpen: ((row: Row) => void) | undefined;
  onToggle: (row: number, range: boolean) => void;
}

/** The phone's way to show rows: one card each. */
export function GridCards<Row>(props: GridCardsProps<Row>) {
  const { grid, columns } = props;
  const titles = columns.filter((column) => column.card === 'title');
  const asides = columns.filter((column) => column.card === 'aside');
  const lines = columns.filter((column) => column.card === undefined);
  return (
    <ul aria-label={props.label} className={styles['cards']}>
      {grid.rows.map((row, index) => {
        const id = grid.rowId(row);
        const title = titles.map((column) => column.cell(row));
        return (
          <li key={id} className={styles['card']} data-selected={grid.selected.has(id)}>
            <div className={styles['cardHead']}>
              {props.selectable ? (
                <Checkbox
                  className={styles['check']}
                  aria-label={`Select ${rowName(columns, row)}`}
                  checked={grid.selected.has(id)}
                  onChange={() => props.onToggle(index, false)}
                />
              ) : null}
              <div className={styles['cardTitle']}>
                {title.map((part, at) => (
                  <span key={titles[at]?.id}>{part} </span>
                ))}
              </div>
              {asides.map((column) => (
                <span key={column.id}>{column.cell(row)}</span>
              ))}
              {props.onOpen ? (
                <Button
                  variant="minimal"
                  icon={<EyeOpenIcon />}
                  aria-label={`Open ${rowName(columns, row)}`}
                  onClick={() => props.onOpen?.(row)}
                />
              ) : null}
            </div>
            <dl className={styles['cardLines']}>
              {lines.map((column) => {
                const value = column.cell(row);
                return value === '' || value === null || value === undefined ? null : (
                  <div key={column.id}>
                    <dt>{column.title}</dt>
                    <dd data-numeric={column.numeric}>{value}</dd>
                  </div>
                );
              })}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
