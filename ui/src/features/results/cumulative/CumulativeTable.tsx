import { Checkbox } from '@blueprintjs/core';
import { Fragment, type ReactNode, useId } from 'react';
import { Link } from 'react-router';

import { formatDate } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import styles from './cumulative.module.css';
import { nameRows, type SeriesRow, type SeriesTable } from './series';

interface CumulativeTableProps<Result> {
  label: string;
  table: SeriesTable<Result>;
  selected: ReadonlySet<string>;
  onSelect: (selectedKeys: ReadonlySet<string>) => void;
  /** The properties that the results of a row share: unit, method, range. */
  describeRow: (row: SeriesRow<Result>) => readonly (string | null | false)[];
  renderCell: (result: Result, row: SeriesRow<Result>) => ReactNode;
  getTone: (result: Result) => 'critical' | 'abnormal' | undefined;
}

/** Parts with dots between them; lines do not break within a part. */
const Parts = ({ parts }: { parts: readonly (string | null | false)[] }) =>
  parts
    .filter((part): part is string => Boolean(part))
    .map((part, index) => (
      <Fragment key={part}>
        {index === 0 ? null : ' · '}
        <span className="nowrap">{part}</span>
      </Fragment>
    ));

/** Results over time: a row per series, a column per order, newest first; rows can be selected. */
export function CumulativeTable<Result extends { name: string }>(
  props: CumulativeTableProps<Result>,
) {
  const { table, selected, onSelect } = props;
  const aboutId = useId();
  const rowNames = nameRows(table.rows, props.describeRow);
  const areAllSelected =
    table.rows.length > 0 && table.rows.every(({ series }) => selected.has(series));
  const toggle = (series: string) => {
    const next = new Set(selected);
    if (!next.delete(series)) next.add(series);
    onSelect(next);
  };
  return (
    <div className={styles['frame']} role="region" aria-label={props.label} tabIndex={0}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col" className={styles['test']}>
              <Checkbox
                label="Test"
                aria-label="Select all tests"
                checked={areAllSelected}
                indeterminate={!areAllSelected && selected.size > 0}
                onChange={() =>
                  onSelect(new Set(areAllSelected ? [] : table.rows.map((row) => row.series)))
                }
              />
            </th>
            {table.columns.map(({ id, code, date, client }) => (
              <th key={id} scope="col" title={client ?? undefined}>
                <span>{formatDate(date)}</span>
                <span className={styles['time']}>{formatDateTime(date).slice(11)}</span>
                <Link to={buildMatrix(paths.orderResults, { id })}>{code}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, rowIndex) => (
            <tr key={row.series} data-selected={selected.has(row.series)}>
              <th scope="row" className={styles['test']}>
                <Checkbox
                  label={row.newest.name}
                  aria-label={rowNames[rowIndex]}
                  aria-describedby={`${aboutId}-${rowIndex}`}
                  checked={selected.has(row.series)}
                  onChange={() => toggle(row.series)}
                />
                <span id={`${aboutId}-${rowIndex}`} className={styles['about']}>
                  <Parts parts={props.describeRow(row)} />
                </span>
              </th>
              {row.cells.map((result, index) => (
                <td
                  key={table.columns[index]?.id}
                  data-tone={result ? props.getTone(result) : undefined}
                >
                  {result ? props.renderCell(result, row) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
