const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The names of the fields that differ between two sets of values. */
export function changedFields<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(after) as (keyof Values & string)[];
  return names.filter((name) => !same(before[name], after[name]));
}

export interface Merged<Values> {
  values: Values;
  /** What somebody else changed and this person did not: theirs is taken over. */
  taken: (keyof Values & string)[];
  /** What both changed, each to something else: this person's stands. */
  contested: (keyof Values & string)[];
}

/** A person's edits of `base` on top of what somebody else has made of it meanwhile. */
export function merge<Values extends object>(
  base: Values,
  mine: Values,
  newer: Values,
): Merged<Values> {
  const theirs = changedFields(base, newer).filter((name) => !same(mine[name], newer[name]));
  const contested = theirs.filter((name) => !same(mine[name], base[name]));
  const taken = theirs.filter((name) => !contested.includes(name));
  const values = { ...mine };
  for (const name of taken) values[name] = newer[name];
  return { values, taken, contested };
}
