/**
 * The fields of a form, one row each: label, name on the wire, and how messages describe
 * the value. Labels, the fields that show server errors, and the texts of a conflict come from here.
 */
import type { ItemKey } from '../../lib/merge';
import type { ConflictOptions } from './conflict';

/** How messages describe the value of a field. */
interface ValueFormat<Value> {
  /** Summarizes the value, to compare it with somebody else's. */
  summarize: (value: Value) => string;
  /**
   * Describes what a person had entered, so that the text is not lost when it can no longer be
   * saved.
   */
  describeEdit: (mine: Value, savedValue: Value) => string;
  /** Returns the identity of a list item, for lists merged item by item. */
  getKey: ItemKey | null;
}

export interface FieldRow<Value, Wire extends string | null = string | null> {
  label: string;
  /** The name on the wire; null if the portal has none. */
  wire: Wire;
  format: ValueFormat<Value>;
  /** The most specific place for a server error: an item of the list, or a part of that item. */
  errorLevel?: 'item' | 'part';
}

export type FieldTable<Values, Wire extends string | null = string | null> = {
  readonly [Name in keyof Values]: FieldRow<Values[Name], Wire>;
};

const BRIEF_LENGTH = 60;

const truncate = (text: string): string =>
  text.length > BRIEF_LENGTH ? `${text.slice(0, BRIEF_LENGTH).trimEnd()}…` : text;

/** Builds the format of a value that a few words describe; 'none' if the value is empty. */
export function buildValueFormat<Value>(toText: (value: Value) => string): ValueFormat<Value> {
  const formatValue = (value: Value) => toText(value) || 'none';
  return {
    summarize: (value) => truncate(formatValue(value)),
    describeEdit: formatValue,
    getKey: null,
  };
}

/** The format of a plain text. */
export const textFormat = buildValueFormat((text: string) => text);

/** Builds the format of free text, shown in quotation marks. */
export const buildProseFormat = <Value>(toText: (value: Value) => string): ValueFormat<Value> => ({
  summarize: (value) => {
    const text = toText(value);
    return text === '' ? 'none' : `'${truncate(text)}'`;
  },
  describeEdit: (mine) => toText(mine) || 'removed',
  getKey: null,
});

/**
 * Builds the format of a list. Two people may add to it at the same time if `getKey` identifies its
 * items; pass null if their order matters.
 */
export const buildListFormat = <Item>(
  toText: (item: Item) => string,
  getKey: ((item: Item) => unknown) | null,
): ValueFormat<Item[]> => ({
  summarize: (list) => truncate(list.map(toText).join(', ')) || 'none',
  describeEdit: (mine, savedValue) => {
    const [own, theirs] = [mine.map(toText), savedValue.map(toText)];
    const addedItems = own.filter((item) => !theirs.includes(item));
    const removedItems = theirs.filter((item) => !own.includes(item));
    const parts = [
      addedItems.length > 0 && `added ${addedItems.join(', ')}`,
      removedItems.length > 0 && `removed ${removedItems.join(', ')}`,
    ].filter((part) => part !== false);
    return parts.join('; ') || 'changed';
  },
  getKey: getKey as ItemKey | null,
});

interface TableOptions<Values> extends Required<
  Pick<ConflictOptions<Values, never>, 'getLabel' | 'describeEdit' | 'summarize' | 'getItemKey'>
> {
  /** Returns the form field for a field's name on the wire, or null if there is none. */
  findField: (wire: string) => string | null;
}

/** Builds the options of `useRecordForm` that come from a form's table. */
export function buildTableOptions<Values extends object>(
  table: FieldTable<Values>,
): TableOptions<Values> {
  const rows = Object.entries(table) as [keyof Values & string, FieldRow<unknown>][];
  const findRow = (field: string) => rows.find(([name]) => name === field)?.[1];
  return {
    findField: (wire) => {
      const [root, index, ...parts] = wire.split('.');
      const [name, row] = rows.find(([, candidate]) => candidate.wire === root) ?? [];
      if (name === undefined || row === undefined) return null;
      if (index === undefined || row.errorLevel === undefined) return name;
      return [name, index, ...(row.errorLevel === 'part' ? parts : [])].join('.');
    },
    getLabel: (field) => findRow(field)?.label ?? field,
    getItemKey: (field) => findRow(field)?.format.getKey ?? null,
    describeEdit: (field, mine, savedValues) => {
      const name = field as keyof Values;
      return findRow(field)?.format.describeEdit(mine[name], savedValues[name]) ?? 'changed';
    },
    summarize: (field, values) =>
      findRow(field)?.format.summarize(values[field as keyof Values]) ?? null,
  };
}

/** Maps each row of a table to a value, by field name. */
export const mapRows = <Row, Result>(
  table: Readonly<Record<string, Row>>,
  toValue: (row: Row) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, toValue(row)]));
