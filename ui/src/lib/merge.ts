import { isSame } from './same';

/** The names of the fields that differ between two sets of values. */
export function changedFields<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(after) as (keyof Values & string)[];
  return names.filter((name) => !isSame(before[name], after[name]));
}

export interface Merged<Values> {
  values: Values;
  /** What somebody else changed and this person did not: theirs is taken over. */
  adopted: (keyof Values & string)[];
  /** What both changed, each to something else: this person's stands. */
  contested: (keyof Values & string)[];
  /** What this person changed and the newer record does not take any more: theirs stands. */
  dropped: (keyof Values & string)[];
}

/** What tells one entry of a list from another. */
export type EntryKey = (entry: unknown) => unknown;

interface MergeRules<Values> {
  /** Whether the newer record still takes changes of this field. */
  editable?: ((name: keyof Values & string) => boolean) | undefined;
  /** For a list that is merged entry by entry; null for any other field. */
  entryKey?: ((name: keyof Values & string) => EntryKey | null) | undefined;
}

/**
 * A list entry by entry, in this person's order: what others added comes behind, what they removed
 * or changed goes or changes, unless this person changed the same entry (`contested`).
 */
function mergeList(
  base: readonly unknown[],
  mine: readonly unknown[],
  newer: readonly unknown[],
  keyOf: EntryKey,
) {
  const find = (list: readonly unknown[], key: unknown) => list.find((one) => keyOf(one) === key);
  let contested = false;
  const entries = mine.flatMap((entry) => {
    const [before, theirs] = [find(base, keyOf(entry)), find(newer, keyOf(entry))];
    if (isSame(theirs, before) || isSame(theirs, entry)) return [entry];
    if (isSame(entry, before)) return theirs === undefined ? [] : [theirs];
    contested = true;
    return [entry];
  });
  for (const theirs of newer) {
    if (find(mine, keyOf(theirs)) !== undefined) continue;
    const before = find(base, keyOf(theirs));
    if (before === undefined) entries.push(theirs);
    // This person removed what somebody else changed.
    else if (!isSame(before, theirs)) contested = true;
  }
  return { entries, contested };
}

/**
 * A person's edits of `base` on top of what somebody else has made of it meanwhile. Where `base`
 * does not say what a field was, both may have changed it.
 */
export function merge<Values extends object>(
  base: Partial<Values>,
  mine: Values,
  newer: Values,
  { editable = () => true, entryKey = () => null }: MergeRules<Values> = {},
): Merged<Values> {
  const found: Merged<Values> = { values: { ...newer }, adopted: [], contested: [], dropped: [] };
  for (const name of changedFields(mine, newer)) {
    const [before, own, theirs] = [base[name], mine[name], newer[name]];
    const keyOf = entryKey(name);
    if (isSame(own, before)) {
      found.adopted.push(name);
    } else if (!editable(name)) {
      found.dropped.push(name);
    } else if (isSame(theirs, before)) {
      found.values[name] = own;
    } else if (keyOf && Array.isArray(before) && Array.isArray(own) && Array.isArray(theirs)) {
      const { entries, contested } = mergeList(before, own, theirs, keyOf);
      found.values[name] = entries as Values[typeof name];
      found[contested || isSame(entries, own) ? 'contested' : 'adopted'].push(name);
    } else {
      found.values[name] = own;
      found.contested.push(name);
    }
  }
  return found;
}
