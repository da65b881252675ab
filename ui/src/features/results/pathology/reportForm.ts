import { z } from 'zod';

import { ReportKind } from '../../../contract';
import type { PathologyEntryOrder, PathologyEntryTest, PathologyReportWrite } from './api';

/** The form's fields of an entered report. All are strings, the missing ones empty. */
export interface ReportValues {
  kind: string;
  comment: string;
  flag: string;
  signedOutBy: string;
  reasonCode: string;
  explanation: string;
}

export const schema: z.ZodType<ReportValues, ReportValues> = z.object({
  kind: z.string(),
  comment: z.string(),
  flag: z.string(),
  signedOutBy: z.string(),
  reasonCode: z.string(),
  explanation: z.string(),
});

export const labels: Readonly<Record<keyof ReportValues, string>> = {
  kind: 'Kind',
  comment: 'Report',
  flag: 'Finding',
  signedOutBy: 'Signed Out By',
  reasonCode: 'Reason',
  explanation: 'Explanation',
};

/** The sections that a new report usually has. */
export const BLANK_SECTIONS = [
  'Diagnosis',
  'Clinical History',
  'Specimen',
  'Gross Description',
  'Microscopic Description',
]
  .map((heading) => `<h3>${heading}</h3><p></p>`)
  .join('');

export const KIND_LABELS: Readonly<Record<string, string>> = {
  [ReportKind.NORMAL]: 'Result Report',
  [ReportKind.ADDENDUM]: 'Addendum',
  [ReportKind.REVISED]: 'Revision',
};

export const findTest = (
  entry: PathologyEntryOrder,
  orderTestId: number,
): PathologyEntryTest | undefined => entry.tests.find((test) => test.orderTestId === orderTestId);

/** The text of the report in force, with which a revision begins. */
export const getTextInForce = (test: PathologyEntryTest): string =>
  test.released.findLast(
    ({ status, replacedBy }) => replacedBy === null && status !== ReportKind.ADDENDUM_RELEASE,
  )?.comment ?? '';

/** The values of a test's entered report, or of the report that may be entered next. */
export function toValues(test: PathologyEntryTest | undefined): ReportValues {
  const draft = test?.draft;
  return {
    kind: String(draft?.kind ?? test?.nextKinds[0] ?? ReportKind.NORMAL),
    comment: draft?.comment ?? '',
    flag: draft?.flag ?? '',
    signedOutBy: draft?.signedOutBy ?? '',
    reasonCode: draft?.reasonCode ?? '',
    explanation: draft?.explanation ?? '',
  };
}

export const toBody = (values: ReportValues): PathologyReportWrite => ({
  kind: Number(values.kind) as ReportKind,
  comment: values.comment || null,
  flag: (values.flag || null) as PathologyReportWrite['flag'],
  signedOutBy: values.signedOutBy.trim() || null,
  reasonCode: values.reasonCode || null,
  explanation: values.explanation.trim() || null,
});
