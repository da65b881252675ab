import type { CSSProperties, Key, ReactNode } from 'react';

import { Unit } from '../../../components/Unit';
import { isInOtherUnit } from '../otherUnit';
import styles from './ResultTable.module.css';

/** The properties of a row in every result table; panels are headings of their tests. */
interface ResultLine {
  name: string;
  isPanel: boolean;
  unit: string | null;
  referenceRange: string | null;
}

export interface ResultColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Whether the cell is the header of its row. */
  isRowHeader?: boolean;
  /** `figure` aligns right with its title; `number` has digits of equal width; `quiet` is muted. */
  kind?: 'figure' | 'number' | 'quiet';
  /** The side of the second line on which phones show the cell. */
  secondLine?: 'start' | 'end';
  /** Whether only wide windows have the column. */
  isExtra?: boolean;
  /** Whether no row has a value: the place stays, so that nothing moves when values come. */
  isBlank?: boolean;
  /** The class that gives the column its width. */
  width?: string | undefined;
}

export const testColumn: ResultColumn<ResultLine> = {
  title: 'Test',
  isRowHeader: true,
  cell: ({ name }) => name,
};

export const unitColumn: ResultColumn<ResultLine> = {
  title: 'Unit',
  secondLine: 'start',
  cell: ({ unit }) => <Unit>{unit}</Unit>,
};

/** The cell of the unit in entry: that of the stored result, until another value is typed. */
export const renderUnit = (
  row: { unit: string | null; result: string | null; resultUnit: string | null },
  typedText: string,
) => <Unit>{isInOtherUnit(row, typedText) ? row.resultUnit : row.unit}</Unit>;

export const rangeColumn: ResultColumn<ResultLine> = {
  title: 'Reference Range',
  kind: 'number',
  secondLine: 'end',
  cell: ({ referenceRange }) => referenceRange,
};

interface NoteProps {
  children: ReactNode;
  /** Whether somebody must act on it. */
  isUrgent?: boolean;
}

/** A note about the value above it. */
export const Note = ({ children, isUrgent = false }: NoteProps) => (
  <span className={styles['note']} data-urgent={isUrgent || undefined}>
    {children}
  </span>
);

interface ResultTableProps<Row> {
  rows: readonly Row[];
  getRowKey: (row: Row) => Key;
  columns: readonly ResultColumn<Row>[];
  /** Returns the depth of a row below panels; without it no row is indented. */
  getLevel?: (row: Row) => number;
  /** Whether phones show a result on two lines. A fixed table's class has its own phone layout. */
  foldsOnPhone?: boolean;
  /** The class of a table with fixed columns, which gives it its smallest width. */
  fixedClass?: string | undefined;
}

const EDGE_PX = 10;
const LEVEL_PX = 18;

/**
 * The results of an order, one test per row. Place it in an element with the class `resultFrame`,
 * which scrolls.
 */
export function ResultTable<Row extends ResultLine>({ columns, ...props }: ResultTableProps<Row>) {
  const { getLevel, foldsOnPhone = false, fixedClass } = props;
  const getIndentPx = (row: Row) => getLevel && EDGE_PX + getLevel(row) * LEVEL_PX;
  const getIndentStyle = (row: Row) => getLevel && { paddingInlineStart: getIndentPx(row) };
  // For phones, where the cell is below the name.
  const getSecondLineStyle = (row: Row) =>
    getLevel && ({ '--indent': `${getIndentPx(row)}px` } as CSSProperties);
  const getClassName = ({ kind }: ResultColumn<Row>) =>
    kind === 'figure' ? styles['figure'] : kind;
  const classNames = [styles['table'], foldsOnPhone && styles['folding'], fixedClass];
  return (
    <table className={classNames.filter(Boolean).join(' ')}>
      <thead className={styles['head']}>
        <tr>
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              data-extra={column.isExtra}
              data-blank={column.isBlank ? true : undefined}
              className={column.width ?? (column.kind === 'figure' ? styles['figure'] : undefined)}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) =>
          row.isPanel ? (
            <tr key={props.getRowKey(row)} className={styles['panelRow']}>
              <th scope="colgroup" colSpan={columns.length} style={getIndentStyle(row)}>
                {row.name}
              </th>
            </tr>
          ) : (
            <tr key={props.getRowKey(row)} data-focus-home>
              {columns.map((column) =>
                column.isRowHeader ? (
                  <th key={column.title} scope="row" style={getIndentStyle(row)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.title}
                    className={getClassName(column)}
                    data-below={column.secondLine}
                    style={column.secondLine === 'start' ? getSecondLineStyle(row) : undefined}
                    data-extra={column.isExtra}
                    data-title={column.title}
                  >
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

/** The class of the scrolling element around a result table. */
export const resultFrame = styles['frame'];
