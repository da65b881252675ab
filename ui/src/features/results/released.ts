import type { Wire } from '../../contract';

/** A test with the value of its newest release. */
type ReleasableRow = { withheld: Wire<'EntryWithholding'> | null } & (
  { released: string | null } | { releasedResult: string | null }
);

/** Whether a result was released; a withheld value is empty for people outside the lab. */
export const hasRelease = (row: ReleasableRow): boolean =>
  ('released' in row ? row.released : row.releasedResult) !== null || row.withheld !== null;
