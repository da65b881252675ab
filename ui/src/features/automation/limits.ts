import { ApiError } from '../../api';
import { limits, messages, say } from '../../contract';
import { formatNumber } from '../../lib/quantities';
import type { LimitsWrite, RuleRow } from './api';

/** The limits of a rule, as typed. */
export interface TypedLimits {
  low: string;
  high: string;
  allowsAbnormal: boolean;
  deltaPercent: string;
  deltaDays: string;
}

export type NumberName = 'low' | 'high' | 'deltaPercent' | 'deltaDays';
const NUMBERS: readonly NumberName[] = ['low', 'high', 'deltaPercent', 'deltaDays'];

/** Whether limits are incomplete without this number. */
export const isRequired = (name: NumberName): boolean => name === 'low' || name === 'high';

export const blankLimits: TypedLimits = {
  low: '',
  high: '',
  allowsAbnormal: false,
  deltaPercent: '',
  deltaDays: '',
};

const FIELDS = ['low', 'high', 'deltaPercent', 'deltaDays', 'startDate', 'endDate'] as const;

/** Why the portal rejects fields of the form; they are reset when somebody types. */
export type Rejections = Partial<Record<(typeof FIELDS)[number], string>>;

/** Reads which fields the portal rejects, or null if any reason is about something else. */
export function readRejections(error: unknown): Rejections | null {
  if (!(error instanceof ApiError) || error.errors.length === 0) return null;
  const rejections: Rejections = {};
  for (const { field, message } of error.errors) {
    const name = FIELDS.find((known) => field === known || field === `limits.${known}`);
    if (name === undefined) return null;
    rejections[name] ??= message;
  }
  return rejections;
}

const formatLimit = (value: number | null) => (value === null ? '' : String(value));

export const toTypedLimits = (rule: RuleRow): TypedLimits => ({
  low: formatLimit(rule.low),
  high: formatLimit(rule.high),
  allowsAbnormal: rule.allowsAbnormal,
  deltaPercent: formatLimit(rule.deltaPercent),
  deltaDays: formatLimit(rule.deltaDays),
});

/** Returns a typed number, null for an empty field, or undefined for other text. */
function parseNumber(text: string): number | null | undefined {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  const number = Number(trimmedText);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns what is wrong with a typed number, and what would be valid; null if nothing is. */
export function findLimitFault(name: NumberName, text: string): string | null {
  const number = parseNumber(text);
  if (number === undefined) return messages.NUMBER_REQUIRED;
  if (number === null) return isRequired(name) ? messages.NUMBER_REQUIRED : null;
  if (name === 'deltaPercent') return number > 0 ? null : messages.AUTOVERIFICATION_PERCENT;
  if (name !== 'deltaDays') return null;
  const isValid = Number.isInteger(number) && number >= 1 && number <= limits.DELTA_DAYS_MAX;
  return isValid
    ? null
    : say(messages.AUTOVERIFICATION_DAYS, { max: formatNumber(limits.DELTA_DAYS_MAX) });
}

/**
 * Returns the typed limits for the portal; null while a required one is missing, or a text is not
 * valid.
 */
export function parseLimits(typedLimits: TypedLimits): LimitsWrite | null {
  const low = parseNumber(typedLimits.low);
  const high = parseNumber(typedLimits.high);
  const deltaPercent = parseNumber(typedLimits.deltaPercent);
  const deltaDays = parseNumber(typedLimits.deltaDays);
  if (NUMBERS.some((name) => findLimitFault(name, typedLimits[name]) !== null)) return null;
  if (low == null || high == null || deltaPercent === undefined || deltaDays === undefined) {
    return null;
  }
  return { low, high, allowsAbnormal: typedLimits.allowsAbnormal, deltaPercent, deltaDays };
}

/** Returns what changed in a test since its limits were saved: 'unit', 'method', or null. */
export function findDifference({ unit, method, testUnit, testMethod }: RuleRow) {
  if (unit !== testUnit) return 'unit';
  return method === testMethod ? null : 'method';
}

/** Returns the message that a rule is for another unit or method than its test has, or null. */
export function explainDifference(rule: RuleRow): string | null {
  switch (findDifference(rule)) {
    case 'unit': {
      const none = messages.AUTOVERIFICATION_NO_UNIT;
      const units = { rule: rule.unit ?? none, test: rule.testUnit ?? none };
      return say(messages.AUTOVERIFICATION_OTHER_UNIT, units);
    }
    case 'method': {
      const none = messages.AUTOVERIFICATION_NO_METHOD;
      const methods = { rule: rule.method ?? none, test: rule.testMethod ?? none };
      return say(messages.AUTOVERIFICATION_OTHER_METHOD, methods);
    }
    case null:
      return null;
  }
}

/** Whether these are the limits of the rule, and for the current unit and method of its test. */
export const areLimitsOf = (write: LimitsWrite, rule: RuleRow): boolean =>
  findDifference(rule) === null &&
  Number(write.low) === rule.low &&
  Number(write.high) === rule.high &&
  write.allowsAbnormal === rule.allowsAbnormal &&
  (write.deltaPercent ?? null) === rule.deltaPercent &&
  (write.deltaDays ?? null) === rule.deltaDays;
