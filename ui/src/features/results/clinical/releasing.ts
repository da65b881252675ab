import { messages, ResultStatus, say } from '../../../contract';
import type { EntryRow, ResultEntry } from './api';

/** The entered results of an order, by whether a release takes them. */
export interface Releasing {
  /** All entered results that are not released. */
  entered: EntryRow[];
  /** Those that clients will see. */
  released: EntryRow[];
  /** A sentence about those that stay behind and why, or null. */
  left: string | null;
}

/** Splits the entered results as the portal does; calculated results follow their inputs there. */
export function splitByRelease({ rows, verificationRequired }: ResultEntry): Releasing {
  const explain = ({ holds: [hold], verifiedBy }: EntryRow): string | null => {
    if (hold !== undefined) return `${messages.WAITS_HOLD}: ${hold.reason}`;
    return verificationRequired && verifiedBy === null ? messages.WAITS_VERIFICATION : null;
  };
  const entered = rows.filter(
    (row) => row.status === ResultStatus.UNRELEASED && row.sameAs === null,
  );
  const released = entered.filter((row) => explain(row) === null);
  const left = entered
    .filter((row) => !released.includes(row))
    .map((row) => `${row.name} (${explain(row)})`);
  return {
    entered,
    released,
    left:
      left.length === 0 ? null : say(messages.CONFIRM_RELEASE_LEFT, { results: left.join(', ') }),
  };
}
