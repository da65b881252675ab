import { Tag } from '@blueprintjs/core';
import { useId } from 'react';

import { RichTextView } from '../../../components/richText/RichTextView';
import { ResultFlag, Withholding } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { nameWithheld } from '../withheld';
import type { PathologyReport } from './api';
import styles from './pathology.module.css';

/** Whether a report is neither replaced nor withdrawn. */
const isInForce = ({ replacedBy, withheld }: PathologyReport): boolean =>
  replacedBy === null && withheld !== Withholding.WITHDRAWN;

/** Returns the reports in reading order: the full report in force, addenda, then the others. */
export function orderReports(reports: readonly PathologyReport[]): readonly PathologyReport[] {
  const inForce = reports.filter(isInForce);
  const isAddendum = ({ title }: PathologyReport) => title.startsWith('Addendum');
  return [
    ...inForce.filter((report) => !isAddendum(report)),
    ...inForce.filter(isAddendum),
    ...reports.filter((report) => !isInForce(report)).reverse(),
  ];
}

const joinParts = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' · ');

/** Who signed out and released the report, and why it was made. */
function ReportOrigin({ report }: { report: PathologyReport }) {
  const { releasedAt, releasedBy } = report;
  const line = joinParts([
    report.signedOutBy && `Signed out by ${report.signedOutBy}`,
    releasedAt && `released ${formatTimestamp(releasedAt)}${releasedBy ? ` by ${releasedBy}` : ''}`,
  ]);
  const reason = joinParts([report.reason, report.explanation]);
  return (
    <>
      {line ? <p className={styles['origin']}>{line}</p> : null}
      {report.resultReportComments.map((comment) => (
        <p key={comment} className={styles['origin']}>
          {comment}
        </p>
      ))}
      {reason ? <p className={styles['reason']}>Reason: {reason}</p> : null}
    </>
  );
}

function FindingTag({ flag }: { flag: string | null }) {
  if (flag === ResultFlag.CRITICAL_ABNORMAL) {
    return (
      <Tag intent="danger" minimal>
        CRITICAL
      </Tag>
    );
  }
  return flag === ResultFlag.ABNORMAL ? <Tag minimal>ABNORMAL</Tag> : null;
}

function Report({ report }: { report: PathologyReport }) {
  const id = useId();
  const isCurrent = isInForce(report);
  return (
    <article aria-labelledby={id} className={isCurrent ? styles['report'] : styles['replaced']}>
      <div className={styles['head']}>
        <h3 id={id}>{report.title}</h3>
        {isCurrent ? <FindingTag flag={report.flag} /> : null}
        {report.withheld === null ? null : (
          <Tag intent="danger" minimal>
            {nameWithheld(report.withheld)}
          </Tag>
        )}
        {report.releasedAt === null ? <Tag minimal>NOT RELEASED</Tag> : null}
        {report.replacedBy === null ? null : (
          <Tag intent="warning" minimal>
            Replaced by {report.replacedBy}
          </Tag>
        )}
      </div>
      <ReportOrigin report={report} />
      <RichTextView html={report.comment} />
    </article>
  );
}

/**
 * The reports of a test. The report in force comes first; a replaced one stays legible and names
 * the revision that replaces it. Only the lab sees withdrawn reports, which are marked.
 */
export function ReportList({ reports }: { reports: readonly PathologyReport[] }) {
  return (
    <>
      {orderReports(reports).map((report) => (
        <Report key={report.id} report={report} />
      ))}
    </>
  );
}
