import { listChangedFields, merge, type ItemKey } from '../../lib/merge';

/** How a form merges two people's edits of one record and reports conflicts (ADR 10). */
export interface ConflictOptions<Values, Saved> {
  /** Whether a field of the record can be edited. By default all can. */
  isEditable?: ((record: Saved, field: string) => boolean) | undefined;
  /** The item identity of a list that is merged item by item; null for other fields. */
  getItemKey?: ((field: string, base: Partial<Values>, mine: Values) => ItemKey | null) | undefined;
  /** What happened to the record, or null if it was only saved. */
  describeState?: ((before: Saved | undefined, latest: Saved) => string | null) | undefined;
  /** Returns the label of a field. */
  getLabel?: ((field: string) => string) | undefined;
  /** Describes what this person entered in a field that can no longer be edited. */
  describeEdit?: ((field: string, mine: Values, savedValues: Values) => string) | undefined;
  /** Summarizes the value of a field, or returns null if that is not possible. */
  summarize?: ((field: string, values: Values) => string | null) | undefined;
  /** Normalizes typed values as saving would. */
  normalize?: ((mine: Values) => Values) | undefined;
  /**
   * Compares whole records instead of fields, one line per change that both made. The banner then
   * shows only these lines, unless some of this person's changes can no longer be saved.
   */
  compare?: ((before: Saved, mine: Values, latest: Saved) => string[]) | undefined;
  /** Whether the form saves nothing until the person has chosen a version. */
  mustChoose?: boolean | undefined;
}

export interface Conflict<Values, Saved> {
  /** The record as somebody else saved it. */
  latest: Saved;
  /** The values of the form after the merge. */
  values: Values;
  /** What happened to the record, for the banner; null if it was only saved. */
  state: string | null;
  /** Who saved the newer version; null if unknown. */
  savedBy: string | null;
  /** This person's changes that the newer version lacks, without those in `comparisons`. */
  own: { field: string; value: string }[];
  hasOwnChanges: boolean;
  /** Labels of the fields that only the other person changed. */
  adopted: string[];
  /** Labels of the fields that both people changed, if their values cannot be compared. */
  contested: string[];
  /** Lines with both values of what both people changed. */
  comparisons: string[];
  /** This person's changes of fields that can no longer be edited. */
  dropped: { field: string; value: string }[];
}

interface Edits<Values> {
  before: Partial<Values>;
  mine: Values;
  newer: Values;
}

/**
 * Applies a person's edits of `before` to `newer`, the values of the latest record, and builds the
 * conflict report. `previous` is the record before the other person's save.
 */
export function buildConflict<Values extends object, Saved>(
  previous: Saved | undefined,
  latest: Saved,
  { before, mine: typedValues, newer }: Edits<Values>,
  options: ConflictOptions<Values, Saved>,
  savedBy: string | null = null,
): Conflict<Values, Saved> {
  const mine = options.normalize?.(typedValues) ?? typedValues;
  const mergeResult = merge(before, mine, newer, {
    isEditable: (name) => options.isEditable?.(latest, name) ?? true,
    getItemKey: (name) => options.getItemKey?.(name, before, mine) ?? null,
  });
  const ownFields = listChangedFields(newer, mergeResult.values);
  const hasOwnChanges = ownFields.length > 0;
  if (options.compare && previous !== undefined && mergeResult.dropped.length === 0) {
    const lines = options.compare(previous, mine, latest);
    const emptyReport = { state: null, adopted: [], contested: [], dropped: [], own: [] };
    return {
      savedBy,
      latest,
      values: mergeResult.values,
      hasOwnChanges,
      comparisons: lines,
      ...emptyReport,
    };
  }
  const getLabel = (name: string) => options.getLabel?.(name) ?? name;
  const contestedFields: string[] = [];
  const comparisons: string[] = [];
  const comparedNames: string[] = [];
  for (const name of mergeResult.contested) {
    const [theirs, own] = [newer, mergeResult.values].map((values) =>
      options.summarize?.(name, values),
    );
    // If both summaries are equal, the difference is too long to show.
    if (!theirs || !own || theirs === own) contestedFields.push(getLabel(name));
    else {
      comparisons.push(`${getLabel(name)}: ${theirs} now, you entered ${own}`);
      comparedNames.push(name);
    }
  }
  const describe = (name: string, values: Values) => ({
    field: getLabel(name),
    value: options.describeEdit?.(name, values, newer) ?? String(values[name as keyof Values]),
  });
  return {
    savedBy,
    own: ownFields
      .filter((name) => !comparedNames.includes(name))
      .map((name) => describe(name, mergeResult.values)),
    latest,
    values: mergeResult.values,
    state: options.describeState?.(previous, latest) ?? null,
    hasOwnChanges,
    adopted: mergeResult.adopted.map(getLabel),
    contested: contestedFields,
    comparisons,
    dropped: mergeResult.dropped.map((name) => describe(name, mine)),
  };
}
