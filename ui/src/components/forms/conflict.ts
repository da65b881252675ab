import { changedFields, merge, type EntryKey } from '../../lib/merge';

/** How a form merges what two people made of one record, and tells of it (ADR 10). */
export interface ConflictOptions<Values, Saved> {
  /** Whether a record takes changes of a field; without it, it takes all. */
  editable?: ((record: Saved, field: string) => boolean) | undefined;
  /** How a list is merged entry by entry with what somebody else made of it; null where it is not. */
  entryKey?: ((field: string, base: Partial<Values>, mine: Values) => EntryKey | null) | undefined;
  /** What became of the record; null where it was just saved. */
  describeState?: ((before: Saved | undefined, latest: Saved) => string | null) | undefined;
  /** What a person calls a field. */
  labelOf?: ((field: string) => string) | undefined;
  /** What a person had entered in a field that takes it no more, in words. */
  wordsOf?: ((field: string, mine: Values, saved: Values) => string) | undefined;
  /** What a field holds, in few words; null where it can not be said so. */
  brieflyOf?: ((field: string, values: Values) => string | null) | undefined;
  /** What a person typed, as it would be saved. */
  tidy?: ((mine: Values) => Values) | undefined;
  /**
   * Where fields are not what people compare: all that both changed, a line each. The banner then
   * says nothing else.
   */
  compare?: ((before: Saved, mine: Values, latest: Saved) => string[]) | undefined;
}

export interface Conflict<Values, Saved> {
  /** The record as somebody else saved it. */
  latest: Saved;
  /** What the form holds from now on. */
  values: Values;
  /** What the banner says. */
  state: string | null;
  someMine: boolean;
  adopted: string[];
  contested: string[];
  compared: string[];
  dropped: { field: string; words: string }[];
}

interface Edits<Values> {
  before: Partial<Values>;
  mine: Values;
  newer: Values;
}

/** A person's edits of `before` on top of `newer`, the values of the record that was `known` before. */
export function conflictOf<Values extends object, Saved>(
  known: Saved | undefined,
  latest: Saved,
  { before, mine: typed, newer }: Edits<Values>,
  options: ConflictOptions<Values, Saved>,
): Conflict<Values, Saved> {
  const mine = options.tidy?.(typed) ?? typed;
  const found = merge(before, mine, newer, {
    editable: (name) => options.editable?.(latest, name) ?? true,
    entryKey: (name) => options.entryKey?.(name, before, mine) ?? null,
  });
  const someMine = changedFields(newer, found.values).length > 0;
  if (options.compare && known !== undefined) {
    const lines = options.compare(known, mine, latest);
    const nothing = { state: null, adopted: [], contested: [], dropped: [] };
    return { latest, values: found.values, someMine, compared: lines, ...nothing };
  }
  const labelOf = (name: string) => options.labelOf?.(name) ?? name;
  const contested: string[] = [];
  const compared: string[] = [];
  for (const name of found.contested) {
    const [now, own] = [newer, found.values].map((values) => options.brieflyOf?.(name, values));
    // Where both read alike, what differs takes more words than there is room for.
    if (!now || !own || now === own) contested.push(labelOf(name));
    else compared.push(`${labelOf(name)}: ${now} now, you entered ${own}`);
  }
  return {
    latest,
    values: found.values,
    state: options.describeState?.(known, latest) ?? null,
    someMine,
    adopted: found.adopted.map(labelOf),
    contested,
    compared,
    dropped: found.dropped.map((name) => ({
      field: labelOf(name),
      words: options.wordsOf?.(name, mine, newer) ?? String(mine[name]),
    })),
  };
}
