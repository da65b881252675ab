import { z } from 'zod';

import type { Option } from '../../../components/fields/SelectField';
import {
  buildProseFormat,
  buildTableOptions,
  buildValueFormat,
  textFormat,
  type FieldTable,
} from '../../../components/forms/fieldTable';
import { ReportKind, ResultFlag } from '../../../contract';
import { htmlToText } from '../../../lib/html';
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

export const FINDINGS: readonly Option[] = [
  { value: ResultFlag.NORMAL, label: 'Normal' },
  { value: ResultFlag.ABNORMAL, label: 'Abnormal' },
  { value: ResultFlag.CRITICAL_ABNORMAL, label: 'Critical' },
];

const kindFormat = buildValueFormat((kind: string) => KIND_LABELS[kind] ?? kind);
const findingFormat = buildValueFormat(
  (flag: string) => FINDINGS.find(({ value }) => value === flag)?.label ?? flag,
);

/** The fields of the form. A field without a row is a type error. */
export const fields = {
  kind: { label: 'Kind', wire: 'kind', format: kindFormat },
  comment: { label: 'Report', wire: 'comment', format: buildProseFormat(htmlToText) },
  flag: { label: 'Finding', wire: 'flag', format: findingFormat },
  signedOutBy: { label: 'Signed Out By', wire: 'signedOutBy', format: textFormat },
  reasonCode: { label: 'Reason', wire: 'reasonCode', format: textFormat },
  explanation: { label: 'Explanation', wire: 'explanation', format: textFormat },
} satisfies FieldTable<ReportValues, keyof PathologyReportWrite>;

export const fieldOptions = buildTableOptions<ReportValues>(fields);

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
