import { Callout, Tag } from '@blueprintjs/core';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';

import { Loaded, type LoadState } from '../../../components/records/Loaded';
import { messages, ResultStatus, say } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { ToneText } from '../../../components/ResultTone';
import {
  otherMedicationsQuery,
  toxicologyRowsQuery,
  type OtherMedication,
  type ToxicologyRow,
  type VerdictPart,
} from './api';
import { SpecimenTag } from '../components/SpecimenTag';
import { WithheldTag } from '../components/WithheldTag';
import { describeWithheld } from '../withheld';
import styles from './toxicology.module.css';

const SECTIONS: readonly { part: VerdictPart; title: string; isInconsistent: boolean }[] = [
  {
    part: 'expected-results',
    title: 'Consistent Result - Reported Medication Detected',
    isInconsistent: false,
  },
  {
    part: 'unexpected-negative-results',
    title: 'Inconsistent Result - Negative Results For Reported Medications',
    isInconsistent: true,
  },
  {
    part: 'unexpected-positive-results',
    title: 'Inconsistent Results - Positive Results For Drugs Not Reported',
    isInconsistent: true,
  },
];

const joinParts = (parts: readonly (string | null | false)[]) => parts.filter(Boolean).join(' · ');

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

const formatValue = ({ result, unit }: { result: string | null; unit: string | null }): string =>
  [result, unit].filter(Boolean).join(' ');

/** The value of a replaced result, and its comment unless the one that replaced it has the same. */
const formatEarlier = (
  version: ToxicologyRow['correctedFrom'][number],
  nextComment: string | null,
): string =>
  [
    formatValue(version),
    version.comment && version.comment !== nextComment && `comment '${version.comment}'`,
  ]
    .filter(Boolean)
    .join(', ');

/** Whether a result is a correction. Clients do not see the earlier result if it was withdrawn. */
const isCorrected = ({ correctedFrom, reason, releasedAt }: ToxicologyRow): boolean =>
  correctedFrom.length > 0 || (reason !== null && releasedAt !== null);

/** The replaced results, newest first: the value, until when it was valid, and why it changed. */
function Correction({ row }: { row: ToxicologyRow }) {
  if (!isCorrected(row)) return null;
  const [last, ...earlierVersions] = row.correctedFrom.toReversed();
  if (last === undefined) {
    const line = joinParts(['Corrected result', row.releasedBy, row.reason, row.explanation]);
    return <span className={styles['correction']}>{line}</span>;
  }
  const line = joinParts([
    `was ${formatEarlier(last, row.data.comment)} until ${formatTimestamp(row.releasedAt)}`,
    row.releasedBy,
    row.reason,
    row.explanation,
  ]);
  return (
    <>
      <span className={styles['correction']}>{line}</span>
      {earlierVersions.map((version, index) => (
        <span key={version.releasedAt} className={styles['correction']}>
          before that {formatEarlier(version, (earlierVersions[index - 1] ?? last).comment)},
          reported {formatTimestamp(version.releasedAt)}
        </span>
      ))}
    </>
  );
}

function TestLine({ row }: { row: ToxicologyRow }) {
  const line = joinParts([
    row.cutOff && `cut-off ${row.cutOff}`,
    row.validityRange && `valid ${row.validityRange}`,
    row.detectionWindow && `window ${row.detectionWindow}`,
    row.isPresumptive && 'presumptive',
  ]);
  return (
    <li>
      {row.name}: <strong>{formatValue(row)}</strong>
      {line ? <span className="quiet"> {line}</span> : null}
      <Correction row={row} />
    </li>
  );
}

interface VerdictProps {
  verdict: ToxicologyRow;
  tests: readonly ToxicologyRow[];
  isInconsistent: boolean;
}

function Verdict({ verdict, tests, isInconsistent }: VerdictProps) {
  const id = useId();
  return (
    <article aria-labelledby={id} className={styles['verdict']}>
      <div className={styles['head']}>
        <h3 id={id}>{verdict.medicationName ?? verdict.name}</h3>
        <ToneText tone={isInconsistent ? 'critical' : 'normal'}>{verdict.result}</ToneText>
        {verdict.isPresumptive ? <Tag minimal>PRESUMPTIVE</Tag> : null}
      </div>
      <p className={styles['why']}>{verdict.rxVerification}</p>
      <ul className={styles['tests']}>
        {tests.map((row) => (
          <TestLine key={row.key} row={row} />
        ))}
      </ul>
    </article>
  );
}

interface VerdictsProps {
  title: string;
  isInconsistent: boolean;
  rows: readonly ToxicologyRow[];
}

function Verdicts({ title, isInconsistent, rows }: VerdictsProps) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      {rows
        .filter(({ parentKey }) => parentKey === null)
        .map((verdict) => (
          <Verdict
            key={verdict.key}
            verdict={verdict}
            tests={rows.filter(({ parentKey }) => parentKey === verdict.key)}
            isInconsistent={isInconsistent}
          />
        ))}
    </Section>
  );
}

function OtherMedications({ medications }: { medications: readonly OtherMedication[] }) {
  if (medications.length === 0) return null;
  return (
    <Section title="Other Reported Medications">
      <ul className={styles['tests']}>
        {medications.map(({ medicationName, rxVerification }) => (
          <li key={`${medicationName} ${rxVerification}`}>
            <strong>{medicationName}</strong> <span className="quiet">{rxVerification}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AlphaResult({ row }: { row: ToxicologyRow }) {
  if (row.status === ResultStatus.CANCELED) return <span className="quiet">CANCELED</span>;
  if (row.withheld !== null && row.result === null) {
    return <span className="quiet">{describeWithheld(row.withheld, row.withheldAt)}</span>;
  }
  if (row.result === null) {
    const state = row.awaitsCollection ? messages.SPECIMEN_NEEDED : 'PENDING';
    return <span className="quiet">{state}</span>;
  }
  return (
    <>
      <ToneText tone={row.isDetected === true || row.isInvalid ? 'abnormal' : 'normal'}>
        {formatValue(row)}
      </ToneText>{' '}
      {row.awaitsCollection ? <SpecimenTag /> : null}
    </>
  );
}

function AlphaRows({ rows }: { rows: readonly ToxicologyRow[] }) {
  return (
    <Section title="Results">
      {/* On narrow screens, the table scrolls sideways, even by keyboard. */}
      <div
        className={styles['frame']}
        tabIndex={0}
        role="region"
        aria-label="All toxicology results"
      >
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Test</th>
              <th scope="col">Result</th>
              <th scope="col">Cut-off</th>
              <th scope="col">Detection Window</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) =>
              row.isPanel ? (
                <tr key={row.key} className={styles['panel']}>
                  <th scope="colgroup" colSpan={4}>
                    {row.name}
                  </th>
                </tr>
              ) : (
                <tr key={row.key}>
                  <th scope="row">
                    {row.name}{' '}
                    {isCorrected(row) ? (
                      <Tag minimal intent="warning">
                        CORRECTED
                      </Tag>
                    ) : null}{' '}
                    {row.result === null ? null : (
                      <WithheldTag withheld={row.withheld} withheldAt={row.withheldAt} />
                    )}{' '}
                    {row.status === ResultStatus.UNRELEASED ? (
                      <Tag minimal>NOT RELEASED</Tag>
                    ) : null}
                    <Correction row={row} />
                    {[row.data.comment, ...row.data.resultReportComments].map((comment) =>
                      comment ? (
                        <span key={comment} className={styles['why']}>
                          {comment}
                        </span>
                      ) : null,
                    )}
                  </th>
                  <td>
                    <AlphaResult row={row} />
                  </td>
                  <td data-title={row.cutOff ? 'Cut-off' : undefined}>
                    {row.cutOff ?? (row.validityRange && `Valid: ${row.validityRange}`)}
                  </td>
                  <td data-title={row.detectionWindow ? 'Window' : undefined}>
                    {row.detectionWindow}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** The state of loading all parts, which are shown together or not at all. */
function toPartsLoadState(parts: readonly UseQueryResult[]): LoadState<true> {
  const failed = parts.filter(({ error }) => error !== null);
  return {
    data: parts.every(({ data }) => data !== undefined) ? true : undefined,
    error: failed[0]?.error ?? null,
    reload: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
}

/** The toxicology results of an order: what fits the reported medications, and why (R 2.2). */
export function ToxicologyResults({ orderId }: { orderId: number }) {
  const sections = useQueries({
    queries: SECTIONS.map(({ part }) => toxicologyRowsQuery(orderId, part)),
  });
  const others = useQuery(otherMedicationsQuery(orderId));
  const alpha = useQuery(toxicologyRowsQuery(orderId, 'alpha-results'));
  const specimenFault = alpha.data?.find((row) => row.specimenFault !== null)?.specimenFault;
  return (
    <div className={styles['results']}>
      <Loaded loadState={toPartsLoadState([...sections, others, alpha])}>
        {() => (
          <>
            {specimenFault ? (
              <Callout intent="warning">
                {say(messages.TOXICOLOGY_SPECIMEN_INVALID, { fault: specimenFault })}
              </Callout>
            ) : null}
            {SECTIONS.map(({ part, ...section }, index) => (
              <Verdicts key={part} {...section} rows={sections[index]?.data ?? []} />
            ))}
            <OtherMedications medications={others.data ?? []} />
            <AlphaRows rows={alpha.data ?? []} />
          </>
        )}
      </Loaded>
    </div>
  );
}
