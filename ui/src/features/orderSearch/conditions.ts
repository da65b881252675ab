import type { FieldError } from '../../api';
import { messages, type Wire } from '../../contract';
import { formatDate } from '../../lib/dates';

export type SearchColumn = Wire<'SearchColumnRead'>;

/** A client, physician or test, as a condition names it. */
export interface NamedRecord {
  id: number;
  name: string;
}

export interface RuleNode {
  key: string;
  field: string;
  operator: string;
  value: unknown;
  /** The test whose result the condition is about. */
  test: NamedRecord | null;
  /** The code of the antibiotic whose interpretation it is about. */
  antibiotic: string | null;
}

export interface GroupNode {
  key: string;
  combinator: 'and' | 'or';
  not: boolean;
  rules: readonly SearchNode[];
}

export type SearchNode = RuleNode | GroupNode;

/** A query as it is sent and stored. */
interface WireNode {
  combinator?: 'and' | 'or';
  not?: boolean;
  rules?: WireNode[];
  field?: string;
  operator?: string;
  value?: unknown;
  test?: number;
  antibiotic?: string;
  names?: Record<string, string>;
}

/** The error of a condition, and the part that it is about. */
export interface RuleError {
  part: 'field' | 'operator' | 'value' | 'test' | 'antibiotic' | null;
  message: string;
}

export type RuleErrors = Readonly<Record<string, RuleError>>;

export type Columns = ReadonlyMap<string, SearchColumn>;

/** How the value of a condition is entered. */
export type ValueShape = 'none' | 'single' | 'pair' | 'days' | 'list';

const NO_VALUE = new Set(['null', 'notNull']);
const LISTS = new Set(['in', 'notIn']);
const DEFAULT_DAYS = '30';

export const isGroup = (node: SearchNode): node is GroupNode => 'rules' in node;

export function getShape(operator: string): ValueShape {
  if (NO_VALUE.has(operator)) return 'none';
  if (LISTS.has(operator)) return 'list';
  if (operator === 'between') return 'pair';
  return operator === 'inLastDays' ? 'days' : 'single';
}

let lastKey = 0;

const mintKey = (): string => `node-${++lastKey}`;

function buildBlankValue(column: SearchColumn | undefined, operator: string): unknown {
  const shape = getShape(operator);
  if (shape === 'pair') return ['', ''];
  if (shape === 'list') return [];
  if (shape === 'days') return DEFAULT_DAYS;
  return column?.kind === 'boolean' ? true : '';
}

export function createRule(column: SearchColumn): RuleNode {
  const operator = column.operators[0] ?? '=';
  return {
    key: mintKey(),
    field: column.name,
    operator,
    value: buildBlankValue(column, operator),
    test: null,
    antibiotic: null,
  };
}

export const createGroup = (rules: readonly SearchNode[] = []): GroupNode => ({
  key: mintKey(),
  combinator: 'and',
  not: false,
  rules,
});

/** Changes a rule's column; the operator and the test stay if the new column has them. */
export function changeColumn(rule: RuleNode, column: SearchColumn, columns: Columns): RuleNode {
  const before = columns.get(rule.field);
  const next = { ...createRule(column), key: rule.key, test: column.needsTest ? rule.test : null };
  if (before?.kind !== column.kind || !column.operators.includes(rule.operator)) return next;
  const keepsValue = column.kind !== 'choice' && column.source === before.source;
  const value = keepsValue ? rule.value : buildBlankValue(column, rule.operator);
  return { ...next, operator: rule.operator, value };
}

/** Changes a rule's operator; the value stays if it is entered the same way. */
export function changeOperator(rule: RuleNode, operator: string, columns: Columns): RuleNode {
  const keepsValue = getShape(rule.operator) === getShape(operator);
  const value = keepsValue ? rule.value : buildBlankValue(columns.get(rule.field), operator);
  return { ...rule, operator, value };
}

/** Replaces the node with this key; null removes it, and a list takes its place. */
export function replaceNode(
  group: GroupNode,
  key: string,
  replace: (node: SearchNode) => SearchNode | readonly SearchNode[] | null,
): GroupNode {
  if (group.key === key) return replace(group) as GroupNode;
  return {
    ...group,
    rules: group.rules.flatMap((node) => {
      if (node.key === key) return replace(node) ?? [];
      return isGroup(node) ? [replaceNode(node, key, replace)] : [node];
    }),
  };
}

export const addNode = (root: GroupNode, groupKey: string, node: SearchNode): GroupNode =>
  replaceNode(root, groupKey, (group) =>
    isGroup(group) ? { ...group, rules: [...group.rules, node] } : group,
  );

/** Returns a copy with new keys. */
export function copyNode(node: SearchNode): SearchNode {
  const key = mintKey();
  return isGroup(node) ? { ...node, key, rules: node.rules.map(copyNode) } : { ...node, key };
}

export function listRules(node: SearchNode): RuleNode[] {
  return isGroup(node) ? node.rules.flatMap(listRules) : [node];
}

const isNamedList = (value: unknown): value is NamedRecord[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object');

function ruleToWire(rule: RuleNode, withNames: boolean): WireNode {
  const { field, operator, value, test, antibiotic } = rule;
  const namedValues = isNamedList(value) ? value : [];
  const names = Object.fromEntries(
    [...namedValues, ...(test ? [test] : [])].map(({ id, name }) => [id, name]),
  );
  return {
    field,
    operator,
    value: namedValues.length > 0 ? namedValues.map(({ id }) => id) : value,
    ...(test ? { test: test.id } : {}),
    ...(antibiotic === null ? {} : { antibiotic }),
    ...(withNames && Object.keys(names).length > 0 ? { names } : {}),
  };
}

/** Builds the query to send; a saved search also keeps the names of the chosen records. */
export function toWire(node: SearchNode, withNames = false): WireNode {
  if (!isGroup(node)) return ruleToWire(node, withNames);
  return {
    combinator: node.combinator,
    not: node.not,
    rules: node.rules.map((member) => toWire(member, withNames)),
  };
}

function ruleFromWire(wire: WireNode, columns: Columns): RuleNode {
  const column = columns.get(wire.field ?? '');
  const toNamedRecord = (id: unknown): NamedRecord => ({
    id: Number(id),
    name: wire.names?.[String(id)] ?? `#${String(id)}`,
  });
  const value = wire.value ?? buildBlankValue(column, wire.operator ?? '');
  return {
    key: mintKey(),
    field: wire.field ?? '',
    operator: wire.operator ?? '',
    value: column?.kind === 'reference' && Array.isArray(value) ? value.map(toNamedRecord) : value,
    test: wire.test === undefined ? null : toNamedRecord(wire.test),
    antibiotic: wire.antibiotic ?? null,
  };
}

/** Reads a stored query. */
export function fromWire(wire: WireNode, columns: Columns): GroupNode {
  const read = (node: WireNode): SearchNode =>
    node.rules ? fromWire(node, columns) : ruleFromWire(node, columns);
  return {
    key: mintKey(),
    combinator: wire.combinator ?? 'and',
    not: wire.not ?? false,
    rules: (wire.rules ?? []).map(read),
  };
}

const PARTS = new Set(['field', 'operator', 'value', 'test', 'antibiotic']);

/** Finds the conditions that the portal's errors are about, by their keys. */
export function mapErrors(root: GroupNode, errors: readonly FieldError[]): RuleErrors {
  const ruleErrors: Record<string, RuleError> = {};
  for (const { field, message } of errors) {
    const [name, ...steps] = field.split('.');
    if (name !== 'query') continue;
    let node: SearchNode = root;
    let part: RuleError['part'] = null;
    for (const step of steps) {
      if (PARTS.has(step)) part = step as RuleError['part'];
      else if (step !== 'rules' && isGroup(node)) node = node.rules[Number(step)] ?? node;
    }
    ruleErrors[node.key] ??= { part, message };
  }
  return ruleErrors;
}

const isBlank = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length === 0 || value.some(isBlank)
    : value === '' || value === null || value === undefined;

/** Finds conditions that are not filled in. */
export function findBlanks(root: GroupNode, columns: Columns): RuleErrors {
  const errors: Record<string, RuleError> = {};
  for (const rule of listRules(root)) {
    const column = columns.get(rule.field);
    if (column === undefined) {
      errors[rule.key] = { part: 'field', message: messages.SEARCH_COLUMN_UNKNOWN };
    } else if (column.needsTest && rule.test === null) {
      errors[rule.key] = { part: 'test', message: messages.SEARCH_TEST_REQUIRED };
    } else if (column.needsAntibiotic && rule.antibiotic === null) {
      errors[rule.key] = { part: 'antibiotic', message: messages.SEARCH_ANTIBIOTIC_REQUIRED };
    } else if (getShape(rule.operator) !== 'none' && isBlank(rule.value)) {
      errors[rule.key] = { part: 'value', message: messages.SEARCH_VALUE_REQUIRED };
    }
  }
  return errors;
}

const OPERATOR_NAMES: Readonly<Record<string, string>> = {
  contains: 'contains',
  doesNotContain: 'does not contain',
  beginsWith: 'begins with',
  '=': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  between: 'is between',
  in: 'is any of',
  notIn: 'is none of',
  inLastDays: 'is in the last',
  null: 'is empty',
  notNull: 'is not empty',
};
const DAY_OPERATOR_NAMES: Readonly<Record<string, string>> = {
  '=': 'is on',
  '!=': 'is not on',
  '<': 'is before',
  '<=': 'is on or before',
  '>': 'is after',
  '>=': 'is on or after',
};

const isDay = (column: SearchColumn | undefined) =>
  column?.kind === 'date' || column?.kind === 'moment';

/** Returns an operator in words. */
export const getOperatorLabel = (column: SearchColumn | undefined, operator: string): string =>
  (isDay(column) ? DAY_OPERATOR_NAMES[operator] : undefined) ??
  OPERATOR_NAMES[operator] ??
  operator;

function describeValue(rule: RuleNode, column: SearchColumn | undefined): string {
  const show = (value: unknown): string => {
    if (value === true) return 'yes';
    if (value === false) return 'no';
    if (value === '' || value === null || value === undefined) return '…';
    if (typeof value === 'object') return (value as NamedRecord).name;
    const text = typeof value === 'number' ? String(value) : (value as string);
    return isDay(column) ? formatDate(text) || text : text;
  };
  if (getShape(rule.operator) === 'days') return `${show(rule.value)} days`;
  if (!Array.isArray(rule.value)) return show(rule.value);
  if (rule.value.length === 0) return '…';
  return rule.value.map(show).join(getShape(rule.operator) === 'pair' ? ' and ' : ', ');
}

/** Returns the test or the antibiotic that a rule is about, in words; '' if it needs none. */
function describeSubject(rule: RuleNode, column: SearchColumn | undefined): string {
  if (column?.needsTest) return ` (${rule.test?.name ?? '…'})`;
  if (!column?.needsAntibiotic) return '';
  const choice = column.antibiotics.find(({ value }) => value === rule.antibiotic);
  return ` (${choice?.label ?? rule.antibiotic ?? '…'})`;
}

function describeRule(rule: RuleNode, columns: Columns): string {
  const column = columns.get(rule.field);
  const label = column?.label ?? rule.field;
  const subject = describeSubject(rule, column);
  const isSingle = Array.isArray(rule.value) && rule.value.length === 1;
  const operator =
    isSingle && rule.operator === 'in' ? 'is' : getOperatorLabel(column, rule.operator);
  const value = getShape(rule.operator) === 'none' ? '' : ` ${describeValue(rule, column)}`;
  return `${label}${subject} ${operator}${value}`;
}

/** Describes conditions in plain words; '' if there are none. */
export function describeQuery(node: SearchNode, columns: Columns, isInner = false): string {
  if (!isGroup(node)) return describeRule(node, columns);
  const parts = node.rules
    .map((member) => describeQuery(member, columns, true))
    .filter((text) => text !== '');
  if (parts.length === 0) return '';
  const joinedText = parts.join(` ${node.combinator} `);
  if (node.not) return `not (${joinedText})`;
  return isInner && parts.length > 1 ? `(${joinedText})` : joinedText;
}
