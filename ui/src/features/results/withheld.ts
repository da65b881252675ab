import { messages, say, Withholding } from '../../contract';
import { formatTimestamp } from '../../lib/dates';

const LABELS: Readonly<Record<Withholding, string>> = {
  [Withholding.REVIEW]: messages.RESULT_UNDER_REVIEW,
  [Withholding.WITHDRAWN]: messages.RESULT_WITHDRAWN,
};

/** What happened to a withheld result, without the time: 'WITHDRAWN'. */
export const nameWithheld = (kind: Withholding): string => LABELS[kind];

/**
 * What readers see instead of a withheld result: 'WITHDRAWN 11/20/2026 10:00 AM'. The time of older
 * reviews and withdrawals was not stored.
 */
export const describeWithheld = (kind: Withholding, at: string | null): string =>
  at === null
    ? say(messages.RESULT_WITHHELD_TIMELESS, { words: LABELS[kind] })
    : `${LABELS[kind]} ${formatTimestamp(at)}`;
