import { messages, say } from '../../contract';
import { formatPeriod, validatePeriod } from '../../lib/period';
import { statusMasks } from '../orders/components/OrderFilters';
import type { ExportFilters, ExportRow } from './api';
import { formatQuantity } from '../../lib/quantities';

/** Up to this many clients or tests are named; more are counted. */
export const NAMES_MAX = 3;

/**
 * Validates the days of an export. An empty day is an error: if the portal guessed a day, nobody
 * could see that in the file.
 */
export function validateDays({ startDate, endDate }: ExportFilters) {
  const { start, end, invalid } = validatePeriod(startDate, endDate);
  const requireDay = (day: string, label: string) =>
    day === '' ? say(messages.SELECTION_REQUIRED, { label }) : undefined;
  return {
    start: requireDay(startDate, 'Start Date') ?? start,
    end: requireDay(endDate, 'End Date') ?? end,
    invalid: invalid || startDate === '' || endDate === '',
  };
}

const readIds = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : [];
const readTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The clients that an export was requested for; none means all. */
export const listClientIds = ({ parameters }: ExportRow): number[] =>
  readIds(parameters['clientIds']);

/** Names a few, and counts the others: 'LAKE CARE, OAK CLINIC and 3 more'. */
function listNames(names: readonly string[], count: number, noun: string): string {
  if (count === 0) return `all ${noun}s`;
  const shownNames = names.slice(0, NAMES_MAX);
  if (shownNames.length === 0) return formatQuantity(count, noun);
  return count > shownNames.length
    ? `${shownNames.join(', ')} and ${count - shownNames.length} more`
    : shownNames.join(', ');
}

const countRules = (node: unknown): number => {
  const rules = (node as { rules?: unknown } | null)?.rules;
  return Array.isArray(rules) ? rules.reduce<number>((sum, item) => sum + countRules(item), 0) : 1;
};

/** Describes what an export was requested for: its filters, or the conditions of its search. */
export function describeExport(row: ExportRow, clients: readonly string[]): string | null {
  const { startDate, summary, query } = row.parameters;
  if (startDate !== undefined) return describeFilters(row, clients);
  if (typeof summary === 'string') return summary;
  // Exports of earlier releases do not have their conditions in words.
  return query ? formatQuantity(countRules(query), 'condition') : null;
}

/** Describes the filters: days, clients, tests, and the status of the orders. */
function describeFilters({ parameters }: ExportRow, clients: readonly string[]): string {
  const { startDate, endDate, clientIds, testIds, testCodes, status } = parameters;
  const label = statusMasks.find(({ value }) => value === String(status))?.label ?? 'All';
  return [
    `Collected ${formatPeriod({ startDate: readText(startDate), endDate: readText(endDate) })}`,
    listNames(clients, readIds(clientIds).length, 'client'),
    listNames(readTexts(testCodes), readIds(testIds).length, 'test'),
    label === 'All' ? 'all statuses' : `status ${label}`,
  ].join(' · ');
}
