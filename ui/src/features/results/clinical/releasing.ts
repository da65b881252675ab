import { ResultStatus } from '../../../contract';
import { joinLeft } from '../components/TestState';
import type { EntryRow, ResultEntry } from './api';

/** The entered results of an order, by whether a release includes them. */
export interface Releasing {
  /** All entered results that are not released. */
  entered: EntryRow[];
  /** Those that clients will see. */
  released: EntryRow[];
  /** A sentence about those that are not released and why, or null. */
  left: string | null;
}

/** Splits the entered results by whether the portal lets them be released. */
export function splitByRelease({ rows }: ResultEntry): Releasing {
  const enteredRows = rows.filter(
    (row) => row.status === ResultStatus.UNRELEASED && row.sameAs === null,
  );
  return {
    entered: enteredRows,
    released: enteredRows.filter(({ leftBecause }) => leftBecause === null),
    left: joinLeft(enteredRows.flatMap(({ leftBecause }) => leftBecause ?? [])),
  };
}
