import type { Key, ReactNode } from 'react';

import styles from './ResultTable.module.css';

/** What a row has in every table of results; panels head their tests. */
interface ResultLine {
  name: string;
  isPanel: boolean;
  unit: string | null;
  referenceRange: string | null;
}

export interface ResultColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** The cell heads its row. */
  heads?: boolean;
  /** `figure` stands at the right, under its title; `number` has digits of one width. */
  kind?: 'figure' | 'number' | 'quiet';
  /** At which end of the second line it stands on the phone, where a result has two. */
  below?: 'start' | 'end';
}

export const testColumn: ResultColumn<ResultLine> = {
  title: 'Test',
  heads: true,
  cell: ({ name }) => name,
};

export const unitColumn: ResultColumn<ResultLine> = {
  title: 'Unit',
  below: 'start',
  cell: ({ unit }) => unit,
};

export const rangeColumn: ResultColumn<ResultLine> = {
  title: 'Reference Range',
  kind: 'number',
  below: 'end',
  cell: ({ referenceRange }) => referenceRange,
};

/** What is to be known of the value above it. */
export const Note = ({ children }: { children: ReactNode }) => (
  <span className={styles['note']}>{children}</span>
);

interface ResultTableProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  columns: readonly ResultColumn<Row>[];
  /** How deep a row stands under panels; without it all rows begin at the edge. */
  levelOf?: (row: Row) => number;
  /** On the phone a result is two lines; where its cells hold fields it stays one. */
  foldsOnPhone?: boolean;
}

const EDGE_PX = 10;
const LEVEL_PX = 18;

/** The results of an order, a test a row. What stands around it scrolls: see `resultFrame`. */
export function ResultTable<Row extends ResultLine>({ columns, ...props }: ResultTableProps<Row>) {
  const { levelOf, foldsOnPhone = false } = props;
  const indented = (row: Row) =>
    levelOf && { paddingInlineStart: EDGE_PX + levelOf(row) * LEVEL_PX };
  const classOf = ({ kind }: ResultColumn<Row>) => (kind === 'figure' ? styles['figure'] : kind);
  return (
    <table className={`${styles['table']} ${foldsOnPhone ? styles['folding'] : ''}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={column.kind === 'figure' ? styles['figure'] : undefined}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) =>
          row.isPanel ? (
            <tr key={props.rowKey(row)} className={styles['panelRow']}>
              <th scope="colgroup" colSpan={columns.length} style={indented(row)}>
                {row.name}
              </th>
            </tr>
          ) : (
            <tr key={props.rowKey(row)}>
              {columns.map((column) =>
                column.heads ? (
                  <th key={column.title} scope="row" style={indented(row)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} className={classOf(column)} data-below={column.below}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** The class of what a table of results stands in. */
export const resultFrame = styles['frame'];
