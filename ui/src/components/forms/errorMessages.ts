import { messages } from '../../contract';

const GENERAL = [messages.VALUE_INVALID, messages.VALUE_REQUIRED] as readonly string[];
const [TOO_LONG = ''] = messages.VALUE_TOO_LONG.split('{');
const OWN_PARTS = ['ref', 'root', 'type', 'types', 'message'];

/** `zipCodeExtra` as a person would write it: 'Zip Code Extra'. */
const inWords = (name: string): string =>
  name.replace(/([A-Z0-9]+)/g, ' $1').replace(/^./, (first) => first.toUpperCase());

/**
 * Every sentence in a field's error, those of its rows and their fields included. Sentences that
 * do not say what they are about are given the name of their field.
 */
export function errorMessages(error: unknown, name = ''): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const own = 'message' in error && typeof error.message === 'string' ? error.message : '';
  const vague = GENERAL.includes(own) || own.startsWith(TOO_LONG);
  const said = vague && /^[a-z]/i.test(name) ? `${inWords(name)}: ${own}` : own;
  const nested = Object.entries(error)
    .filter(([part]) => !OWN_PARTS.includes(part))
    .flatMap(([part, value]) => errorMessages(value, part));
  return [...(said === '' ? [] : [said]), ...nested];
}

/** The sentences about one row of a list. */
export const rowMessages = (error: unknown, place: number): string[] =>
  typeof error === 'object' && error !== null
    ? errorMessages((error as Record<number, unknown>)[place])
    : [];

/** The sentence about a list as a whole. */
export const listMessage = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : undefined;
