import { messages } from '../../contract';

const GENERAL = [messages.VALUE_INVALID, messages.VALUE_REQUIRED] as readonly string[];
const [TOO_LONG = ''] = messages.VALUE_TOO_LONG.split('{');
const OWN_PARTS = ['ref', 'root', 'type', 'types', 'message'];

/** Converts a field name to words: `zipCodeExtra` to 'Zip Code Extra'. */
const splitWords = (name: string): string =>
  name.replace(/([A-Z0-9]+)/g, ' $1').replace(/^./, (first) => first.toUpperCase());

/**
 * Collects every message in a field's error, including messages about its rows and their fields.
 * Messages that do not name their field get its name as a prefix.
 */
export function collectErrorMessages(error: unknown, name = ''): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const own = 'message' in error && typeof error.message === 'string' ? error.message : '';
  const isGeneral = GENERAL.includes(own) || own.startsWith(TOO_LONG);
  const labeledMessage = isGeneral && /^[a-z]/i.test(name) ? `${splitWords(name)}: ${own}` : own;
  const nestedMessages = Object.entries(error)
    .filter(([part]) => !OWN_PARTS.includes(part))
    .flatMap(([part, value]) => collectErrorMessages(value, part));
  return [...(labeledMessage === '' ? [] : [labeledMessage]), ...nestedMessages];
}

/** Returns the messages of one row of a list. */
export const getRowMessages = (error: unknown, index: number): string[] =>
  typeof error === 'object' && error !== null
    ? collectErrorMessages((error as Record<number, unknown>)[index])
    : [];

/** Returns the message about a list as a whole. */
export const getListMessage = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : undefined;
