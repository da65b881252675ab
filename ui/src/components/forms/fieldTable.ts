/**
 * What a form knows of its fields, a row each: what people call them, what they are on the wire, and
 * how it is said what they hold. Labels, the place of a refusal and the words of a conflict come
 * from here.
 */
import type { EntryKey } from '../../lib/merge';
import type { ConflictOptions } from './conflict';

/** How a person is told what a field holds. */
interface Wording<Value> {
  /** In few words, to be compared with what somebody else made of it. */
  brieflyOf: (value: Value) => string;
  /**
   * What a person had entered, so that it can still be told to the lab or entered elsewhere where it
   * can not be saved any more.
   */
  enteredOf: (mine: Value, saved: Value) => string;
  /** For a list that is merged entry by entry: what tells its entries apart. */
  keyOf: EntryKey | null;
}

export interface FieldRow<Value, Wire extends string | null = string | null> {
  label: string;
  /** Its name on the wire; null where the portal has none for it. */
  wire: Wire;
  words: Wording<Value>;
  /** What may be refused of it by itself: a row of the list, or a part of such a row. */
  refused?: 'row' | 'part';
}

export type FieldTable<Values, Wire extends string | null = string | null> = {
  readonly [Name in keyof Values]: FieldRow<Values[Name], Wire>;
};

const BRIEF_LENGTH = 60;

const brief = (words: string): string =>
  words.length > BRIEF_LENGTH ? `${words.slice(0, BRIEF_LENGTH).trimEnd()}…` : words;

/** For a value that a few words say; 'none' where there are none. */
export function sayValue<Value>(wordsOf: (value: Value) => string): Wording<Value> {
  const say = (value: Value) => wordsOf(value) || 'none';
  return { brieflyOf: (value) => brief(say(value)), enteredOf: say, keyOf: null };
}

/** For a text that says itself. */
export const sayText = sayValue((text: string) => text);

/** For sentences of a person's own. */
export const sayProse = <Value>(textOf: (value: Value) => string): Wording<Value> => ({
  brieflyOf: (value) => {
    const text = textOf(value);
    return text === '' ? 'none' : `'${brief(text)}'`;
  },
  enteredOf: (mine) => textOf(mine) || 'removed',
  keyOf: null,
});

/**
 * For a list, entry by entry. Two people may add to it at once where `keyOf` tells its entries
 * apart; null where their order matters.
 */
export const sayEntries = <Entry>(
  wordsOf: (entry: Entry) => string,
  keyOf: ((entry: Entry) => unknown) | null,
): Wording<Entry[]> => ({
  brieflyOf: (list) => brief(list.map(wordsOf).join(', ')) || 'none',
  enteredOf: (mine, saved) => {
    const [own, theirs] = [mine.map(wordsOf), saved.map(wordsOf)];
    const added = own.filter((entry) => !theirs.includes(entry));
    const removed = theirs.filter((entry) => !own.includes(entry));
    const parts = [
      added.length > 0 && `added ${added.join(', ')}`,
      removed.length > 0 && `removed ${removed.join(', ')}`,
    ].filter((part) => part !== false);
    return parts.join('; ') || 'changed';
  },
  keyOf: keyOf as EntryKey | null,
});

interface TableOptions<Values> extends Required<
  Pick<ConflictOptions<Values, never>, 'labelOf' | 'wordsOf' | 'brieflyOf'>
> {
  /** The form's field for a field of the wire; null where it has none. */
  fieldOf: (wire: string) => string | null;
}

/** What `useRecordForm` asks of a form's table. */
export function tableOptions<Values extends object>(
  table: FieldTable<Values>,
): TableOptions<Values> {
  const rows = Object.entries(table) as [keyof Values & string, FieldRow<unknown>][];
  const rowOf = (field: string) => rows.find(([name]) => name === field)?.[1];
  return {
    fieldOf: (wire) => {
      const [root, place, ...parts] = wire.split('.');
      const [name, row] = rows.find(([, one]) => one.wire === root) ?? [];
      if (name === undefined || row === undefined) return null;
      if (place === undefined || row.refused === undefined) return name;
      return [name, place, ...(row.refused === 'part' ? parts : [])].join('.');
    },
    labelOf: (field) => rowOf(field)?.label ?? field,
    wordsOf: (field, mine, saved) => {
      const name = field as keyof Values;
      return rowOf(field)?.words.enteredOf(mine[name], saved[name]) ?? 'changed';
    },
    brieflyOf: (field, values) =>
      rowOf(field)?.words.brieflyOf(values[field as keyof Values]) ?? null,
  };
}

/** One thing of each row, by the names of the fields. */
export const ofEachRow = <Row, Result>(
  table: Readonly<Record<string, Row>>,
  of: (row: Row) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, of(row)]));
