import { Switch, Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { messages, ResultStatus } from '../../../contract';
import { usePreference } from '../../../device';
import { formatTimestamp } from '../../../lib/dates';
import { orderQuery } from '../../orders/api';
import {
  clinicalResultsQuery,
  lastValuesQuery,
  type ClinicalRow,
  type Correction,
  type LastValues,
} from './api';
import { FlagMark, NoRange } from '../../../components/FlagMark';
import styles from '../components/results.module.css';
import {
  Note,
  rangeColumn,
  resultFrame,
  ResultTable,
  testColumn,
  unitColumn,
  type ResultColumn,
} from '../components/ResultTable';
import { ToneText, getTone, type Tone } from '../../../components/ResultTone';
import { SpecimenTag } from '../components/SpecimenTag';
import { WithheldTag } from '../components/WithheldTag';
import { describeWithheld } from '../withheld';
import { LastValuesCell, lastValuesColumn } from './LastValuesCell';
import { RangeBar, RangeWords } from './RangeBar';
import { Releasers } from './Releasers';
import { findEarlierValues } from './series';
import { Trend } from './Trend';

/** Returns the depth of each row in the tree, by its key. */
function computeLevels(rows: readonly ClinicalRow[]): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  for (const { key, parentKey } of rows) {
    const parentLevel = parentKey === null ? undefined : levels.get(parentKey);
    levels.set(key, parentLevel === undefined ? 0 : parentLevel + 1);
  }
  return levels;
}

/**
 * The earlier value of a corrected result with what else the correction changed, until when it was
 * valid, and who corrected it and why. `next` is the result that replaced it.
 */
function describeCorrection(
  { result, unit, flag, referenceRange, comment, ...correction }: Correction,
  next: Pick<Correction, 'referenceRange' | 'comment'>,
): string {
  const earlier = [
    [result, unit, flag].filter(Boolean).join(' '),
    referenceRange && referenceRange !== next.referenceRange && `range ${referenceRange}`,
    comment && comment !== next.comment && `comment '${comment}'`,
  ].filter(Boolean);
  return [
    `was ${earlier.join(', ')} until ${formatTimestamp(correction.correctedAt)}`,
    correction.correctedBy,
    correction.reason,
    correction.words,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Why a result replaced a withdrawn one, whose value stays inside the lab. */
const describeReplacement = ({ reason, reasonWords }: ClinicalRow): string =>
  ['Corrected result', reason, reasonWords].filter(Boolean).join(' · ');

/** Why a test has no value. */
function describeMissing(row: ClinicalRow): string {
  if (row.status === ResultStatus.CANCELED) return 'CANCELED';
  if (row.withheld !== null) return describeWithheld(row.withheld, row.withheldAt);
  return row.awaitsCollection ? messages.SPECIMEN_NEEDED : 'PENDING';
}

const toneOrder: Readonly<Record<Tone, number>> = { critical: 0, error: 0, abnormal: 1, normal: 2 };

/** Returns the tests without their panels: critical ones first, then abnormal ones. */
export const sortAbnormalFirst = (rows: readonly ClinicalRow[]): ClinicalRow[] =>
  rows
    .filter(({ isPanel }) => !isPanel)
    .sort((a, b) => toneOrder[getTone(a)] - toneOrder[getTone(b)]);

const buildColumns = (
  orderId: number,
  collectionDate: string | null,
  lastValues: readonly LastValues[],
): readonly ResultColumn<ClinicalRow>[] => [
  {
    ...testColumn,
    cell: (row) => (
      <>
        <Trend orderId={orderId} row={row} collectionDate={collectionDate} />{' '}
        {row.isCorrected ? (
          <Tag minimal intent="warning">
            CORRECTED
          </Tag>
        ) : null}{' '}
        {/* Where there is no value, the result's cell says that it is withheld. */}
        {row.result === null ? null : (
          <WithheldTag withheld={row.withheld} withheldAt={row.withheldAt} />
        )}{' '}
        {row.result !== null && row.awaitsCollection ? <SpecimenTag /> : null}{' '}
        {row.status === ResultStatus.UNRELEASED ? <Tag minimal>NOT RELEASED</Tag> : null}
        {row.corrections.map((correction, index) => (
          <Note key={correction.correctedAt}>
            {describeCorrection(correction, row.corrections[index + 1] ?? row)}
          </Note>
        ))}
        {row.isCorrected && row.corrections.length === 0 && row.reason !== null ? (
          <Note>{describeReplacement(row)}</Note>
        ) : null}
        {row.comment ? <Note>{row.comment}</Note> : null}
        {row.resultReportComments.map((comment) => (
          <Note key={comment}>{comment}</Note>
        ))}
      </>
    ),
  },
  {
    title: 'Result',
    kind: 'figure',
    cell: (row) =>
      row.result === null ? (
        <span className="quiet">{describeMissing(row)}</span>
      ) : (
        <ToneText tone={getTone(row)}>{row.result}</ToneText>
      ),
  },
  {
    title: 'Flag',
    cell: (row) =>
      row.hasNoRange ? <NoRange /> : <FlagMark flag={row.flag} tone={getTone(row)} />,
  },
  unitColumn,
  {
    ...rangeColumn,
    cell: (row) => (
      <>
        <RangeWords>{row.referenceRange}</RangeWords>
        <RangeBar result={row.result} referenceRange={row.referenceRange} tone={getTone(row)} />
        {row.clinicalRangeComment ? <Note>{row.clinicalRangeComment}</Note> : null}
      </>
    ),
  },
  {
    title: 'Last Values',
    isExtra: true,
    isBlank: lastValues.length === 0,
    width: lastValuesColumn,
    cell: (row) => (
      <LastValuesCell
        earlier={findEarlierValues(lastValues, row)}
        row={row}
        collectionDate={collectionDate}
      />
    ),
  },
];

/** An order's clinical results as a tree of rows (R 2.2), or the abnormal ones first. */
export function ClinicalResults({ orderId }: { orderId: number }) {
  const results = useQuery(clinicalResultsQuery(orderId));
  // The page keeps the order current.
  const order = useQuery({ ...orderQuery(orderId), staleTime: Infinity });
  const lastValues = useQuery(lastValuesQuery(orderId));
  const [isAbnormalFirst, setAbnormalFirst] = usePreference<boolean>('abnormalFirst');
  return (
    <Loaded loadState={toLoadState(results)}>
      {(rows) => (
        <>
          {rows.some(({ isAbnormal }) => isAbnormal) ? (
            <Switch
              className={styles['option']}
              label="Abnormal first"
              checked={isAbnormalFirst ?? false}
              onChange={({ currentTarget }) => setAbnormalFirst(currentTarget.checked || null)}
            />
          ) : null}
          <ResultTree
            rows={isAbnormalFirst ? sortAbnormalFirst(rows) : rows}
            columns={buildColumns(
              orderId,
              order.data?.collectionDate ?? null,
              lastValues.data ?? [],
            )}
          />
          <Releasers rows={rows} />
        </>
      )}
    </Loaded>
  );
}

interface ResultTreeProps {
  rows: readonly ClinicalRow[];
  columns: readonly ResultColumn<ClinicalRow>[];
}

function ResultTree({ rows, columns }: ResultTreeProps) {
  const levels = computeLevels(rows);
  return (
    <div
      className={`${resultFrame} ${styles['reading']}`}
      tabIndex={0}
      role="region"
      aria-label="Clinical results"
    >
      <ResultTable
        rows={rows}
        getRowKey={({ key }) => key}
        columns={columns}
        foldsOnPhone
        getLevel={({ key }) => levels.get(key) ?? 0}
      />
    </div>
  );
}
