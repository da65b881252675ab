import { isEqual } from './equality';
import { sortRows, type OrderedRow } from './ordering';

/** Returns the names of the fields that differ between two sets of values. */
export function listChangedFields<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(after) as (keyof Values & string)[];
  return names.filter((name) => !isEqual(before[name], after[name]));
}

export interface MergeResult<Values> {
  values: Values;
  /** Fields that only somebody else changed; they get the newer value. */
  adopted: (keyof Values & string)[];
  /** Fields that both people changed to different values. This person's value is kept. */
  contested: (keyof Values & string)[];
  /** Fields that this person changed but can no longer edit; they get the newer value. */
  dropped: (keyof Values & string)[];
}

/** Returns the identity of a list item. */
export type ItemKey = (item: unknown) => unknown;

interface MergeOptions<Values> {
  /** Whether the newer record still accepts changes to this field. */
  isEditable?: ((name: keyof Values & string) => boolean) | undefined;
  /** The item identity for a list merged item by item; null for any other field. */
  getItemKey?: ((name: keyof Values & string) => ItemKey | null) | undefined;
}

/** Whether the items have numbered positions. */
const isNumbered = (list: readonly unknown[]): list is readonly OrderedRow[] =>
  list.every((item) => typeof (item as Partial<OrderedRow> | null)?.order === 'number');

/**
 * Merges a list whose items have numbered positions. The number is not part of an item's content,
 * since moving one item renumbers others.
 */
function mergeNumbered(
  base: readonly OrderedRow[],
  mine: readonly OrderedRow[],
  newer: readonly OrderedRow[],
  getKey: ItemKey,
) {
  const removeNumbers = (list: readonly OrderedRow[]) =>
    sortRows(list).map((item) => ({ ...item, order: 0 }));
  const { items, contested } = mergeList(
    removeNumbers(base),
    removeNumbers(mine),
    removeNumbers(newer),
    getKey,
  );
  const numberedItems = (items as OrderedRow[]).map((item, index) => ({
    ...item,
    order: index + 1,
  }));
  return { items: numberedItems, contested };
}

/** Returns the keys of `list` that are also in `other`, in the order of `list`. */
const listCommonKeys = (
  list: readonly unknown[],
  other: readonly unknown[],
  getKey: ItemKey,
): unknown[] => {
  const otherKeys = other.map(getKey);
  return list.map(getKey).filter((key) => otherKeys.includes(key));
};

const hasMoved = (from: readonly unknown[], to: readonly unknown[], getKey: ItemKey): boolean =>
  !isEqual(listCommonKeys(from, to, getKey), listCommonKeys(to, from, getKey));

/** Arranges items that are also in `order` like that list; the other items keep their places. */
function arrangeLike(items: readonly unknown[], order: readonly unknown[], getKey: ItemKey) {
  const keys = listCommonKeys(order, items, getKey);
  const next = keys.values();
  return items.map((item) => {
    if (!keys.includes(getKey(item))) return item;
    const { value: key } = next.next();
    return items.find((candidate) => getKey(candidate) === key);
  });
}

/**
 * Merges a list item by item, in this person's order, or in the order of the others if only they
 * moved items. Items added by others follow at the end; items that the others removed or changed
 * are removed or changed here too, unless this person changed the same item (`contested`).
 */
function mergeList(
  base: readonly unknown[],
  mine: readonly unknown[],
  newer: readonly unknown[],
  getKey: ItemKey,
): { items: unknown[]; contested: boolean } {
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
  if (!hasMoved(base, newer, getKey)) return { items, contested };
  if (!hasMoved(base, mine, getKey)) return { items: arrangeLike(items, newer, getKey), contested };
  return { items, contested: contested || hasMoved(mine, newer, getKey) };
}

/**
 * Applies a person's edits of `base` to the record as somebody else has saved it since. A field
 * missing from `base` counts as changed by both.
 */
export function merge<Values extends object>(
  base: Partial<Values>,
  mine: Values,
  newer: Values,
  { isEditable = () => true, getItemKey = () => null }: MergeOptions<Values> = {},
): MergeResult<Values> {
  const result: MergeResult<Values> = {
    values: { ...newer },
    adopted: [],
    contested: [],
    dropped: [],
  };
  for (const name of listChangedFields(mine, newer)) {
    const [before, own, theirs] = [base[name], mine[name], newer[name]];
    const getKey = getItemKey(name);
    if (isEqual(own, before)) {
      result.adopted.push(name);
    } else if (!isEditable(name)) {
      result.dropped.push(name);
    } else if (isEqual(theirs, before)) {
      result.values[name] = own;
    } else if (getKey && Array.isArray(before) && Array.isArray(own) && Array.isArray(theirs)) {
      const { items, contested } =
        isNumbered(before) && isNumbered(own) && isNumbered(theirs)
          ? mergeNumbered(before, own, theirs, getKey)
          : mergeList(before, own, theirs, getKey);
      result.values[name] = items as Values[typeof name];
      // A merge that adopts nothing keeps this person's value, as a contested field does.
      result[contested || isEqual(items, own) ? 'contested' : 'adopted'].push(name);
    } else {
      result.values[name] = own;
      result.contested.push(name);
    }
  }
  return result;
}
