import { Tag, type Intent } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { ResultStatus } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import {
  microbiologyResultsQuery,
  type Correction,
  type CultureContent,
  type MicrobiologyResult,
} from './api';
import { SpecimenTag } from '../components/SpecimenTag';
import { WithheldTag } from '../components/WithheldTag';
import styles from './microbiology.module.css';
import { SusceptibilityTable } from './SusceptibilityTable';

/** An order's cultures: findings, organisms, and susceptibilities (R 2.2). */
export function MicrobiologyResults({ orderId }: { orderId: number }) {
  const results = useQuery(microbiologyResultsQuery(orderId));
  return (
    <Loaded loadState={toLoadState(results)}>
      {(cultures) => cultures.map((culture) => <Culture key={culture.key} culture={culture} />)}
    </Loaded>
  );
}

const LABEL_INTENTS: Readonly<Record<string, Intent>> = {
  FINAL: 'success',
  PRELIMINARY: 'warning',
  PENDING: 'warning',
};

function LabelTag({ culture }: { culture: MicrobiologyResult }) {
  return (
    <Tag minimal intent={LABEL_INTENTS[culture.label] ?? 'none'}>
      {culture.label}
    </Tag>
  );
}

function Culture({ culture }: { culture: MicrobiologyResult }) {
  const id = useId();
  const { releasedAt, releasedBy } = culture;
  const hasContent = culture.revision > 0;
  return (
    <section aria-labelledby={id} className={styles['culture']}>
      <div className={styles['head']}>
        <h2 id={id}>{culture.name}</h2>
        {culture.withheld === null ? <LabelTag culture={culture} /> : null}
        <WithheldTag withheld={culture.withheld} withheldAt={culture.withheldAt} />
        {culture.awaitsCollection ? <SpecimenTag /> : null}
        {culture.isCritical ? <Tag intent="danger">CRITICAL</Tag> : null}
        {culture.corrections.length > 0 ? (
          <Tag minimal intent="warning">
            CORRECTED
          </Tag>
        ) : null}
        {hasContent && culture.status === ResultStatus.UNRELEASED ? (
          <Tag minimal>NOT RELEASED</Tag>
        ) : null}
        {releasedAt ? (
          <span className="quiet">
            released {formatTimestamp(releasedAt)}
            {releasedBy ? ` by ${releasedBy}` : ''}
          </span>
        ) : null}
      </div>
      {culture.corrections.map((correction) => (
        <CorrectionNote key={correction.revision} correction={correction} />
      ))}
      {hasContent ? <Content content={culture} /> : null}
      {culture.earlier.length > 0 ? (
        <details className={styles['earlier']}>
          <summary>Earlier versions ({culture.earlier.length})</summary>
          {culture.earlier.map((content) => (
            <article key={content.revision} className={styles['version']}>
              <p className="quiet">
                {content.preliminaryReleased ? 'Preliminary' : 'Final'}, released{' '}
                {formatTimestamp(content.releasedAt)}
                {content.releasedBy ? ` by ${content.releasedBy}` : ''}
              </p>
              <Content content={content} />
            </article>
          ))}
        </details>
      ) : null}
    </section>
  );
}

/** What a correction changed, who made it, when, and why. */
function CorrectionNote({ correction }: { correction: Correction }) {
  const reason = [correction.reason, correction.explanation].filter(Boolean).join(' · ');
  return (
    <div className={styles['correction']}>
      <p>
        <strong>Corrected {formatTimestamp(correction.releasedAt)}</strong>
        {correction.releasedBy ? ` by ${correction.releasedBy}` : ''}
        {reason ? `: ${reason}` : ''}
      </p>
      {correction.changes.length === 0 ? null : (
        <ul>
          {correction.changes.map(({ subject, was, now }) => (
            <li key={subject}>
              {subject}: was {was ?? 'not reported'}, is {now ?? 'not reported'}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Content({ content }: { content: CultureContent }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Source', content.sources.join(', ') || null],
    ['Site', content.collectionSite],
    ['Collected', content.collected ? formatDateTime(content.collected) : null],
    ['Result', content.result],
  ];
  return (
    <>
      <dl className={styles['facts']}>
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {content.findings.length > 0 ? (
        <p className={styles['line']}>
          {content.findings.map(({ name, cultureQuantityName }, index) => (
            <span key={index}>
              {index > 0 ? ', ' : null}
              {cultureQuantityName ? `${cultureQuantityName}: ` : null}
              <strong>{name}</strong>
            </span>
          ))}
        </p>
      ) : null}
      <SusceptibilityTable organisms={content.organisms} />
      {content.preliminaryReleased && content.preliminaryResultComment ? (
        <p className={styles['line']}>{content.preliminaryResultComment}</p>
      ) : null}
      {content.resultReportComments.map((comment) => (
        <p key={comment} className={styles['line']}>
          {comment}
        </p>
      ))}
    </>
  );
}
