import { lazy, Suspense, useMemo } from 'react';

import { Spinner } from '@blueprintjs/core';

import { FlagMark, NoRangeMark } from '../../../components/FlagMark';
import { getTone } from '../../../components/ResultTone';
import { messages } from '../../../contract';
import type { ClinicalDay, ClinicalResult } from './api';
import { CumulativeTable } from './CumulativeTable';
import styles from './cumulative.module.css';
import { buildPlots, buildTable, type SeriesRow } from './series';

/** Loaded with the first selected test: the chart library is larger than the screen. */
const TrendCharts = lazy(() => import('./TrendCharts'));

interface ClinicalCumulativeProps {
  days: readonly ClinicalDay[];
  selected: ReadonlySet<string>;
  onSelect: (selectedKeys: ReadonlySet<string>) => void;
  patient: string;
}

/** The clinical results of a patient over time, and charts of the selected tests (R 2.3). */
export function ClinicalCumulative({ days, selected, onSelect, patient }: ClinicalCumulativeProps) {
  const table = useMemo(() => buildTable<ClinicalResult>(days), [days]);
  const plots = useMemo(() => buildPlots(table, selected), [table, selected]);
  return (
    <div className={styles['clinical']} data-drawn={plots.length > 0 || undefined}>
      <CumulativeTable
        label="Cumulative clinical results"
        table={table}
        selected={selected}
        onSelect={onSelect}
        describeRow={describeRow}
        renderCell={renderCell}
        getTone={(result) => {
          const tone = getTone(result);
          return tone === 'critical' || tone === 'abnormal' ? tone : undefined;
        }}
      />
      {plots.length > 0 ? (
        <Suspense fallback={<Spinner size={24} />}>
          <TrendCharts plots={plots} patient={patient} />
        </Suspense>
      ) : (
        <p className="quiet">
          {selected.size > 0
            ? 'The selected tests have no numbers to draw.'
            : 'Select tests to draw them as a line chart.'}
        </p>
      )}
    </div>
  );
}

/** Whether a number was not judged, so that nobody knows whether it is normal. */
const hasNoRange = ({ number, flag, referenceRange }: ClinicalResult) =>
  number !== null && flag === null && referenceRange === null;

const describeRow = ({ newest }: SeriesRow<ClinicalResult>) => [
  newest.unit,
  newest.method,
  newest.referenceRange ?? (hasNoRange(newest) && messages.RESULT_NO_RANGE),
];

function renderCell(result: ClinicalResult, { newest }: SeriesRow<ClinicalResult>) {
  const notes = [
    result.referenceRange === newest.referenceRange
      ? ''
      : `range ${result.referenceRange ?? 'none'}`,
    result.isMethodChanged ? 'new method' : '',
    result.isUnitChanged ? 'new unit' : '',
    result.isCorrected ? 'corrected' : '',
    result.comment ?? '',
  ].filter(Boolean);
  return (
    <>
      {result.result}
      <span
        className={styles['flag']}
        title={hasNoRange(result) ? messages.RESULT_NO_RANGE_REASON : undefined}
      >
        {hasNoRange(result) ? (
          <NoRangeMark />
        ) : (
          <FlagMark flag={result.flag} tone={getTone(result)} />
        )}
      </span>
      {notes.map((note) => (
        <span key={note} className={styles['note']}>
          {note}
        </span>
      ))}
    </>
  );
}
