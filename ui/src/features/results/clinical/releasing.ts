import { ResultStatus } from '../../../contract';
import { describeRemaining } from '../components/TestState';
import type { EntryRow, ResultEntry } from './api';

/** The entered results of an order, by whether a release includes them. */
export interface ReleaseSplit {
  /** All entered results that are not released. */
  enteredRows: EntryRow[];
  /** The entered results that clients will see. */
  releasableRows: EntryRow[];
  /** A sentence about the others, which stay unreleased, and why; null if there are none. */
  remainingText: string | null;
}

/** Splits the entered results by whether the portal lets them be released. */
export function splitByRelease({ rows }: ResultEntry): ReleaseSplit {
  const enteredRows = rows.filter(
    (row) => row.status === ResultStatus.UNRELEASED && row.sameAs === null,
  );
  return {
    enteredRows,
    releasableRows: enteredRows.filter(({ leftBecause }) => leftBecause === null),
    remainingText: describeRemaining(enteredRows.flatMap(({ leftBecause }) => leftBecause ?? [])),
  };
}
