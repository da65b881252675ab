import { Button, Checkbox } from '@blueprintjs/core';
import type { MouseEvent } from 'react';

import { EyeOpenIcon } from '../icons';
import styles from './grid.module.css';
import type { GridColumn } from './types';
import type { Grid } from './useGrid';

interface GridCardsProps<Row> {
  label: string;
  grid: Grid<Row>;
  columns: readonly GridColumn<Row>[];
  /** Returns the accessible name of a row. */
  nameRow: (row: Row) => string;
  selectable: boolean;
  onOpen: ((row: Row) => void) | undefined;
  onToggle: (row: number, range: boolean) => void;
}

const CONTROLS = 'button, label, input, a';

/** Rows as cards, for phones. A tap selects a card, or opens it if rows cannot be selected. */
export function GridCards<Row>(props: GridCardsProps<Row>) {
  const { grid, columns } = props;
  // Last and first name, where there are two.
  const titles = columns.filter((column) => column.card === 'title');
  const asides = columns.filter((column) => column.card === 'aside');
  const handleTap = (event: MouseEvent, index: number, row: Row) => {
    if ((event.target as Element).closest(CONTROLS)) return;
    if (props.selectable) props.onToggle(index, false);
    else props.onOpen?.(row);
  };
  const lines = columns.filter((column) => column.card === undefined);
  return (
    <ul aria-label={props.label} className={styles['cards']}>
      {grid.rows.map((row, index) => {
        const id = grid.getRowId(row);
        const title = titles.map((column) => column.cell(row));
        return (
          // The checkbox and the eye button handle keys.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
          <li
            key={id}
            className={styles['card']}
            data-selected={grid.selected.has(id)}
            onClick={(event) => handleTap(event, index, row)}
          >
            <div className={styles['cardHead']}>
              {props.selectable ? (
                <Checkbox
                  className={styles['check']}
                  aria-label={`Select ${props.nameRow(row)}`}
                  checked={grid.selected.has(id)}
                  onChange={() => props.onToggle(index, false)}
                />
              ) : null}
              <div className={styles['cardTitle']}>
                {title.map((part, position) => (
                  <span key={titles[position]?.id}>
                    {position === 0 ? '' : ', '}
                    {part}
                  </span>
                ))}
              </div>
              {props.onOpen ? (
                <Button
                  variant="minimal"
                  icon={<EyeOpenIcon />}
                  aria-label={`Open ${props.nameRow(row)}`}
                  onClick={() => props.onOpen?.(row)}
                />
              ) : null}
            </div>
            <div className={styles['cardTags']}>
              {asides.map((column) => (
                <span key={column.id}>{(column.cardCell ?? column.cell)(row)}</span>
              ))}
            </div>
            <dl className={styles['cardLines']}>
              {lines.map((column) => {
                const value = (column.cardCell ?? column.cell)(row);
                return value === '' || value === null || value === undefined ? null : (
                  <div key={column.id}>
                    <dt>{column.title}</dt>
                    <dd>{value}</dd>
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
