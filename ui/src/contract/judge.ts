import type { Role } from './enumerations.generated';
import { permissions } from './permissions.generated';
import { say } from './say';
import type { Wire } from './wire';

/** An act that a permission rule allows or denies, by role and by the state of a row. */
export type Act = keyof typeof permissions;

/** The facts of a record that the rule of an act needs. */
export type JudgedFacts<A extends Act> = Readonly<
  Record<(typeof permissions)[A]['facts'][number], number | boolean>
>;

type Answers = Readonly<Record<string, string | null>>;

const getAnswers = (act: Act, role: Role): Answers =>
  (permissions[act].answers as Readonly<Partial<Record<Role, Answers>>>)[role] ?? {};

/** Whether this role may do this to some record. */
export const mayEver = (act: Act, role: Role): boolean =>
  Object.values(getAnswers(act, role)).includes(null);

/**
 * Evaluates the portal's rule for a record as a list shows it. `placeholders` fill in the reason. A
 * loaded record is more exact: its `can...` fields also consider the user.
 */
export function judge<A extends Act>(
  act: A,
  role: Role,
  record: JudgedFacts<A>,
  placeholders: Readonly<Record<string, string | number>> = {},
): Wire<'Permission'> {
  const facts: readonly (keyof JudgedFacts<A>)[] = permissions[act].facts;
  const state = facts.map((name) => String(record[name])).join(' ');
  const reason = getAnswers(act, role)[state];
  return { allowed: reason === null, reason: reason ? say(reason, placeholders) : null };
}
