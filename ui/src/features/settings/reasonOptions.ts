import type { Wire } from '../../contract';

/** A reason that a record has, in the words that were stored with it. */
interface StoredReason {
  reasonCode: string | null;
  reason: string | null;
}

/** The choices of a field: the lab's reasons, and the record's own one if the lab has ended it. */
export function listReasonOptions(
  reasons: readonly Wire<'ReasonShape'>[] | undefined,
  stored?: StoredReason | null,
): { value: string; label: string }[] {
  const options = (reasons ?? []).map(({ code, words }) => ({ value: code, label: words }));
  const code = stored?.reasonCode ?? null;
  if (code === null || options.some(({ value }) => value === code)) return options;
  return [...options, { value: code, label: stored?.reason ?? code }];
}
