import { messages, Withholding } from '../../contract';
import { formatTimestamp } from '../../lib/dates';

const LABELS: Readonly<Record<Withholding, string>> = {
  [Withholding.REVIEW]: messages.RESULT_UNDER_REVIEW,
  [Withholding.WITHDRAWN]: messages.RESULT_WITHDRAWN,
};

/** What readers see instead of a withheld result: 'WITHDRAWN 11/20/2026 10:00'. */
export const describeWithheld = (kind: Withholding, at: string | null): string =>
  [LABELS[kind], at === null ? null : formatTimestamp(at)].filter(Boolean).join(' ');
