/* eslint-disable jsx-a11y/no-interactive-element-to-noninteractive-role -- see the table's roles */
import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import styles from './ShortTable.module.css';

export interface ShortColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
}

interface ShortTableProps<Row> {
  /** What the rows are, for assistive technology: 'Recent Patients'. */
  label: string;
  rows: readonly Row[];
  /** The title and the values of the first column, whose buttons choose a row. */
  codeTitle: string;
  getCode: (row: Row) => string;
  columns: readonly ShortColumn<Row>[];
  onChoose: (row: Row) => void;
  width?: number;
  /** Shown where there are no rows. */
  empty?: string | undefined;
}

/** A short list in a popover or a dialog: a code chooses its row. On phones the values wrap. */
export function ShortTable<Row extends { id: number }>(props: ShortTableProps<Row>) {
  const { rows, columns, getCode, onChoose } = props;
  if (rows.length === 0) {
    return <div className={`quiet ${styles['empty'] ?? ''}`}>{props.empty}</div>;
  }
  return (
    <div className={styles['frame']} style={{ width: props.width }}>
      {/* Explicit roles, because the styles for phones remove those of a table. */}
      <table role="table" className={styles['table']} aria-label={props.label}>
        <thead>
          <tr role="row">
            <th scope="col">{props.codeTitle}</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr role="row" key={row.id}>
              <td role="cell">
                <Button
                  variant="minimal"
                  size="small"
                  intent="primary"
                  onClick={() => onChoose(row)}
                >
                  {getCode(row)}
                </Button>
              </td>
              {columns.map(({ title, cell }) => (
                <td role="cell" key={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
