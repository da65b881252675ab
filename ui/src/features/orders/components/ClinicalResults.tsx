import { Tag } from '@blueprintjs/core';

import { ResultStatus } from '../../../contract';
import type { ClinicalRow } from '../api';
import { FlagMark } from './FlagMark';
import styles from './orders.module.css';

interface Placed {
  row: ClinicalRow;
  level: number;
}

/** The rows in the order they came, each with its depth in the tree. */
export function placed(rows: readonly ClinicalRow[]): Placed[] {
  const levels = new Map<number, number>();
  return rows.map((row) => {
    const above = row.parentKey === null ? undefined : levels.get(row.parentKey);
    const level = above === undefined ? 0 : above + 1;
    levels.set(row.key, level);
    return { row, level };
  });
}

function Value({ row }: { row: ClinicalRow }) {
  if (row.result === null) return <span className="quiet">PENDING</span>;
  const weight = row.isCritical ? 'critical' : row.isAbnormal ? 'abnormal' : '';
  return <span className={styles[weight]}>{row.result}</span>;
}

/** The clinical results as a tree of rows (R 2.2); panels head their tests. */
export function ClinicalResults({ rows }: { rows: readonly ClinicalRow[] }) {
  return (
    <div className={styles['results']} tabIndex={0} role="region" aria-label="Clinical results">
      <table className={`${styles['table']} ${styles['readable']}`}>
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col" className={styles['figure']}>
              Result
            </th>
            <th scope="col">Flag</th>
            <th scope="col">Unit</th>
            <th scope="col">Reference Range</th>
          </tr>
        </thead>
        <tbody>
          {placed(rows).map(({ row, level }) =>
            row.isPanel ? (
              <tr key={row.key} className={styles['panelRow']}>
                <th scope="colgroup" colSpan={5} style={{ paddingInlineStart: 10 + level * 18 }}>
                  {row.name}
                </th>
              </tr>
            ) : (
              <tr key={row.key}>
                <th scope="row" style={{ paddingInlineStart: 10 + level * 18 }}>
                  {row.name}{' '}
                  {row.isCorrected ? (
                    <Tag minimal intent="warning">
                      CORRECTED
                    </Tag>
                  ) : null}{' '}
                  {row.status === ResultStatus.UNRELEASED ? <Tag minimal>NOT RELEASED</Tag> : null}
                  {row.comment ? <span className={styles['note']}>{row.comment}</span> : null}
                </th>
                <td className={styles['figure']}>
                  <Value row={row} />
                </td>
                <td>
                  <FlagMark
                    flag={row.flag}
                    isAbnormal={row.isAbnormal}
                    isCritical={row.isCritical}
                  />
                </td>
                <td>{row.unit}</td>
                <td className="number">
                  {row.referenceRange}
                  {row.clinicalRangeComment ? (
                    <span className={styles['note']}>{row.clinicalRangeComment}</span>
                  ) : null}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
