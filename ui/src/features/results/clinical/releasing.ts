import { messages, ResultStatus } from '../../../contract';
import type { EntryRow, ResultEntry } from './api';

/** The entered results of an order, by whether a release takes them. */
export interface Releasing {
  /** Those that clients will see. */
  released: EntryRow[];
  /** Those that stay behind, with the reason, in words: 'SODIUM (on hold: Control out of range)'. */
  left: string[];
}

/** Splits the entered results as the portal does; calculated results follow their inputs there. */
export function splitByRelease({ rows, verificationRequired }: ResultEntry): Releasing {
  const entered = rows.filter(
    (row) => row.status === ResultStatus.UNRELEASED && row.sameAs === null,
  );
  const explain = (row: EntryRow): string | null => {
    const [hold] = row.holds;
    if (hold !== undefined) return `${messages.WAITS_HOLD}: ${hold.reason}`;
    return verificationRequired && row.verifiedBy === null ? messages.WAITS_VERIFICATION : null;
  };
  return {
    released: entered.filter((row) => explain(row) === null),
    left: entered.flatMap((row) => {
      const reason = explain(row);
      return reason === null ? [] : [`${row.name} (${reason})`];
    }),
  };
}
