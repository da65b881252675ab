/** What a user entered for the patient of a form. Plain functions. */
import { fields, type RequisitionValues } from './fields';

/** Values that a user entered for one patient. The tests are not among them: they stay in the form. */
export type Entries = Pick<
  RequisitionValues,
  'diagnoses' | 'additional' | 'medications' | 'comments' | 'additionalCopies'
>;

export const NO_ENTRIES: Entries = {
  diagnoses: [],
  additional: [],
  medications: [],
  comments: '',
  additionalCopies: [],
};

/** A field with the entered text, to show it in a question. */
export interface DescribedEntry {
  label: string;
  summary: string;
}

/** Describes what was entered, in the order of the form. */
export function describeEntries(entries: Entries, documents: readonly string[]): DescribedEntry[] {
  const { diagnoses, additional, medications, comments, additionalCopies } = fields;
  const rows: [{ label: string }, string, boolean][] = [
    [diagnoses, diagnoses.format.summarize(entries.diagnoses), entries.diagnoses.length > 0],
    [additional, additional.format.summarize(entries.additional), entries.additional.length > 0],
    [
      medications,
      medications.format.summarize(entries.medications),
      entries.medications.length > 0,
    ],
    [comments, comments.format.summarize(entries.comments), entries.comments !== ''],
    [
      additionalCopies,
      additionalCopies.format.summarize(entries.additionalCopies),
      entries.additionalCopies.length > 0,
    ],
    [{ label: 'Documents' }, documents.join(', '), documents.length > 0],
  ];
  return rows
    .filter(([, , isEntered]) => isEntered)
    .map(([{ label }, summary]) => ({ label, summary }));
}

const removeItems = <Item>(rows: readonly Item[], removedItems: readonly Item[]): Item[] =>
  rows.filter((row) => !removedItems.includes(row));

/** Returns the values of a form without these entries. */
export const removeEntries = (values: Entries, entries: Entries): Entries => ({
  diagnoses: removeItems(values.diagnoses, entries.diagnoses),
  additional: removeItems(values.additional, entries.additional),
  medications: removeItems(values.medications, entries.medications),
  comments: entries.comments === '' ? values.comments : '',
  additionalCopies: removeItems(values.additionalCopies, entries.additionalCopies),
});

function addMissing<Item>(
  rows: readonly Item[],
  newItems: readonly Item[],
  getKey: ((item: Item) => unknown) | null,
): Item[] {
  const toKey = getKey ?? ((item: Item): unknown => item);
  const keys = rows.map(toKey);
  return [...rows, ...newItems.filter((row) => !keys.includes(toKey(row)))];
}

/** Puts removed entries back into the values of a form; what was typed since stays. */
export const restoreEntries = (values: Entries, entries: Entries): Entries => ({
  diagnoses: addMissing(values.diagnoses, entries.diagnoses, fields.diagnoses.format.getKey),
  additional: addMissing(values.additional, entries.additional, fields.additional.format.getKey),
  medications: addMissing(
    values.medications,
    entries.medications,
    fields.medications.format.getKey,
  ),
  comments: entries.comments + values.comments,
  additionalCopies: addMissing(
    values.additionalCopies,
    entries.additionalCopies,
    fields.additionalCopies.format.getKey,
  ),
});
