import type { Role } from './enumerations.generated';
import { permissions } from './permissions.generated';
import { say } from './say';
import type { Wire } from './wire';

/** Something that a person may do or may not, by role and by what a row says. */
export type Act = keyof typeof permissions;

/** A record as far as the rule of an act asks for it. */
export type Judged<A extends Act> = Readonly<
  Record<(typeof permissions)[A]['facts'][number], number | boolean>
>;

type Answers = Readonly<Record<string, string | null>>;

const answersOf = (act: Act, role: Role): Answers =>
  (permissions[act].answers as Readonly<Partial<Record<Role, Answers>>>)[role] ?? {};

/** Whether there is any record to which this role may do this. */
export const mayEver = (act: Act, role: Role): boolean =>
  Object.values(answersOf(act, role)).includes(null);

/**
 * What the portal's rule answers for a record as a list shows it; `words` fill the reason. A
 * record that was read says more by itself: its `can...` know the person too.
 */
export function judge<A extends Act>(
  act: A,
  role: Role,
  record: Judged<A>,
  words: Readonly<Record<string, string | number>> = {},
): Wire<'Permission'> {
  const facts: readonly (keyof Judged<A>)[] = permissions[act].facts;
  const reason = answersOf(act, role)[facts.map((name) => String(record[name])).join(' ')];
  return { allowed: reason === null, reason: reason ? say(reason, words) : null };
}
