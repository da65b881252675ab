import { isEqual } from './equality';

/** Returns the names of the fields that differ between two sets of values. */
export function listChangedFields<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(after) as (keyof Values & string)[];
  return names.filter((name) => !isEqual(before[name], after[name]));
}

export interface Merged<Values> {
  values: Values;
  /** Fields that only somebody else changed. Their value is taken over. */
  adopted: (keyof Values & string)[];
  /** Fields that both changed to different values. This person's value is kept. */
  contested: (keyof Values & string)[];
  /** Fields that this person changed but can no longer edit. Their value is taken over. */
  dropped: (keyof Values & string)[];
}

/** Returns the identity of a list item. */
export type ItemKey = (item: unknown) => unknown;

interface MergeOptions<Values> {
  /** Whether the newer record still accepts changes to this field. */
  editable?: ((name: keyof Values & string) => boolean) | undefined;
  /** The item identity for a list merged item by item; null for any other field. */
  itemKey?: ((name: keyof Values & string) => ItemKey | null) | undefined;
}

/**
 * Merges a list item by item, in this person's order. Items added by others follow at the end;
 * items they removed or changed are removed or changed here too, unless this person changed the
 * same item (`contested`).
 */
function mergeList(
  base: readonly unknown[],
  mine: readonly unknown[],
  newer: readonly unknown[],
  getKey: ItemKey,
) {
  const findItem = (list: readonly unknown[], key: unknown) =>
    list.find((item) => getKey(item) === key);
  let contested = false;
  const items = mine.flatMap((item) => {
    const [before, theirs] = [findItem(base, getKey(item)), findItem(newer, getKey(item))];
    if (isEqual(theirs, before) || isEqual(theirs, item)) return [item];
    if (isEqual(item, before)) return theirs === undefined ? [] : [theirs];
    contested = true;
    return [item];
  });
  for (const theirs of newer) {
    if (findItem(mine, getKey(theirs)) !== undefined) continue;
    const before = findItem(base, getKey(theirs));
    if (before === undefined) items.push(theirs);
    // This person removed an item that somebody else changed.
    else if (!isEqual(before, theirs)) contested = true;
  }
  return { items, contested };
}

/**
 * Applies a person's edits of `base` to the record as somebody else has saved it since. A field
 * missing from `base` counts as changed by both.
 */
export function merge<Values extends object>(
  base: Partial<Values>,
  mine: Values,
  newer: Values,
  { editable = () => true, itemKey = () => null }: MergeOptions<Values> = {},
): Merged<Values> {
  const result: Merged<Values> = { values: { ...newer }, adopted: [], contested: [], dropped: [] };
  for (const name of listChangedFields(mine, newer)) {
    const [before, own, theirs] = [base[name], mine[name], newer[name]];
    const getKey = itemKey(name);
    if (isEqual(own, before)) {
      result.adopted.push(name);
    } else if (!editable(name)) {
      result.dropped.push(name);
    } else if (isEqual(theirs, before)) {
      result.values[name] = own;
    } else if (getKey && Array.isArray(before) && Array.isArray(own) && Array.isArray(theirs)) {
      const { items, contested } = mergeList(before, own, theirs, getKey);
      result.values[name] = items as Values[typeof name];
      result[contested || isEqual(items, own) ? 'contested' : 'adopted'].push(name);
    } else {
      result.values[name] = own;
      result.contested.push(name);
    }
  }
  return result;
}
