/** The form of the lab's settings: values, validation, and their shape on the wire (ADR 63). */
import { z } from 'zod';

import {
  textFormat,
  buildListFormat,
  buildTableOptions,
  buildValueFormat,
} from '../../components/forms/fieldTable';
import { buildDigitsRule } from '../../components/forms/textRules';
import { limits, messages, type Role, type Wire } from '../../contract';
import { isEmail } from '../../lib/email';
import { applyMask, extractDigits, masks, PHONE_DIGITS } from '../../lib/mask';

export type LabSettings = Wire<'LabSettingsRead'>;
type ResultColumn = Wire<'ResultColumnRead'>;

/** The values of the form. Phone and fax have only digits. */
export interface LabValues {
  logo: string | null;
  title: string;
  name: string;
  address: string;
  phone: string;
  fax: string;
  email: string;
  url: string;
  desktopAppUrl: string;
  clia: string;
  director: string;
  contactEmail: string;
  supplyEmail: string;
  resultEntryEnabled: boolean;
  resultEntrySuperUser: boolean;
  resultEntryClientAdmin: boolean;
  resultEntryClientBasic: boolean;
  resultVerificationRequired: boolean;
  autoverificationEnabled: boolean;
  missingInfoEnabled: boolean;
  criticalMinutes: number;
  abnormalResult: string;
  resultColumns: ResultColumn[];
  secondFactorRoles: Role[];
  auditRetentionYears: number;
  timeZone: string;
}

const formatYears = (years: number) => `${years} years`;
const formatMinutes = (minutes: number) => `${minutes} minutes`;
const onOff = buildValueFormat((isOn: boolean) => (isOn ? 'on' : 'off'));
const phoneFormat = buildValueFormat((digits: string) => applyMask(digits, masks.phone));
const defineText = <Name extends string>(label: string, wire: Name) => ({
  label,
  wire,
  format: textFormat,
});
const defineFlag = <Name extends string>(label: string, wire: Name) => ({
  label,
  wire,
  format: onOff,
});

export const fields = {
  logo: {
    label: 'Logo',
    wire: 'logo',
    format: buildValueFormat((logo: string | null) => (logo === null ? '' : 'a picture')),
  },
  title: defineText('Portal Title', 'title'),
  name: defineText('Lab Name', 'name'),
  address: defineText('Address', 'address'),
  phone: { label: 'Phone', wire: 'phone', format: phoneFormat },
  fax: { label: 'Fax', wire: 'fax', format: phoneFormat },
  email: defineText('Email', 'email'),
  url: defineText('Web Address', 'url'),
  desktopAppUrl: defineText('Desktop App Download Page', 'desktopAppUrl'),
  clia: defineText('CLIA Number', 'clia'),
  director: defineText('Laboratory Director', 'director'),
  contactEmail: defineText('Contact Us goes to', 'contactEmail'),
  supplyEmail: defineText('Supply Requests go to', 'supplyEmail'),
  resultEntryEnabled: defineFlag('Results are entered in the portal', 'resultEntryEnabled'),
  resultEntrySuperUser: defineFlag('Result entry by Superuser', 'resultEntrySuperUser'),
  resultEntryClientAdmin: defineFlag('Result entry by Client Admin', 'resultEntryClientAdmin'),
  resultEntryClientBasic: defineFlag('Result entry by Client Basic', 'resultEntryClientBasic'),
  resultVerificationRequired: defineFlag(
    'A second person verifies before release',
    'resultVerificationRequired',
  ),
  autoverificationEnabled: defineFlag('Autoverification', 'autoverificationEnabled'),
  missingInfoEnabled: defineFlag('Clients fill in missing information', 'missingInfoEnabled'),
  criticalMinutes: {
    label: 'Critical results are reported within',
    wire: 'criticalMinutes',
    format: buildValueFormat((minutes: number) => formatMinutes(minutes)),
  },
  abnormalResult: defineText('Abnormal Toxicology Label', 'abnormalResult'),
  resultColumns: {
    label: 'Test Columns',
    wire: 'resultColumns',
    format: buildListFormat((column: ResultColumn) => column.code, null),
  },
  secondFactorRoles: {
    label: 'Roles that need a second factor',
    wire: 'secondFactorRoles',
    format: buildListFormat((role: Role) => role, null),
  },
  auditRetentionYears: {
    label: 'Audit log is kept for',
    wire: 'auditRetentionYears',
    format: buildValueFormat((years: number) => formatYears(years)),
  },
  timeZone: defineText('Time Zone', 'timeZone'),
} as const;

export const fieldOptions = buildTableOptions<LabValues>(fields);

const email = z
  .string()
  .refine((value) => value === '' || isEmail(value.trim()), messages.EMAIL_INVALID);

const url = z
  .string()
  .refine(
    (value) => value === '' || /^https?:\/\/[^\s/]+(\/\S*)?$/.test(value),
    messages.LAB_URL_INVALID,
  );

export const labSchema = z.object({
  logo: z.string().nullable(),
  title: z.string(),
  name: z.string().refine((value) => value.trim() !== '', messages.LAB_NAME_REQUIRED),
  address: z.string(),
  phone: buildDigitsRule(PHONE_DIGITS, messages.PHONE_INVALID),
  fax: buildDigitsRule(PHONE_DIGITS, messages.FAX_INVALID),
  email,
  url,
  desktopAppUrl: url,
  clia: z
    .string()
    .refine(
      (value) => value === '' || /^[0-9]{2}D[0-9]{7}$/.test(value),
      messages.LAB_CLIA_INVALID,
    ),
  director: z.string(),
  contactEmail: email,
  supplyEmail: email,
  resultEntryEnabled: z.boolean(),
  resultEntrySuperUser: z.boolean(),
  resultEntryClientAdmin: z.boolean(),
  resultEntryClientBasic: z.boolean(),
  resultVerificationRequired: z.boolean(),
  autoverificationEnabled: z.boolean(),
  missingInfoEnabled: z.boolean(),
  criticalMinutes: z.number(),
  abnormalResult: z.string(),
  resultColumns: z.custom<ResultColumn>().array(),
  secondFactorRoles: z.custom<Role>().array(),
  auditRetentionYears: z.number(),
  timeZone: z.string(),
});

export function toValues(record: LabSettings): LabValues {
  return {
    ...record,
    title: record.title ?? '',
    name: record.name ?? '',
    address: record.address ?? '',
    phone: extractDigits(record.phone ?? ''),
    fax: extractDigits(record.fax ?? ''),
    email: record.email ?? '',
    url: record.url ?? '',
    desktopAppUrl: record.desktopAppUrl ?? '',
    clia: record.clia ?? '',
    director: record.director ?? '',
    contactEmail: record.contactEmail ?? '',
    supplyEmail: record.supplyEmail ?? '',
    abnormalResult: record.abnormalResult ?? '',
  };
}

/** Returns what differs from the record; the logo is sent only if it has changed. */
export function toWrite(values: LabValues, record: LabSettings): Wire<'LabSettingsWrite'> {
  const before = toValues(record);
  const changedValues = Object.entries(values).filter(
    ([name, value]) =>
      name in fields && JSON.stringify(value) !== JSON.stringify(before[name as keyof LabValues]),
  );
  const { resultColumns, ...rest } = Object.fromEntries(changedValues) as Partial<LabValues>;
  return {
    ...rest,
    ...(resultColumns && { resultColumns: resultColumns.map(({ id }) => id) }),
  };
}

/** The zones of the United States. A lab elsewhere sees its own zone, too. */
const ZONES = [
  ['America/New_York', 'Eastern'],
  ['America/Chicago', 'Central'],
  ['America/Denver', 'Mountain'],
  ['America/Phoenix', 'Mountain, Arizona'],
  ['America/Los_Angeles', 'Pacific'],
  ['America/Anchorage', 'Alaska'],
  ['Pacific/Honolulu', 'Hawaii'],
  ['America/Puerto_Rico', 'Puerto Rico'],
  ['Pacific/Guam', 'Guam'],
  ['UTC', 'UTC'],
] as const;

export function listZones(current: string): { value: string; label: string }[] {
  const zones = ZONES.map(([value, label]) => ({
    value: value,
    label: `${label} (${value})`,
  }));
  return zones.some(({ value }) => value === current)
    ? zones
    : [{ value: current, label: current }, ...zones];
}

/** The choices of a number, with the current number even if it is not among `counts`. */
const buildChoices = (counts: readonly number[], current: number, format: (n: number) => string) =>
  (counts.includes(current) ? counts : [current, ...counts]).map((count) => ({
    value: String(count),
    label: format(count),
  }));

export const listMinutes = (current: number) =>
  buildChoices([5, 10, 15, 20, 30, 45, 60, 90, 120], current, formatMinutes);

export const listYears = (current: number) =>
  buildChoices([6, 7, 8, 10, 12, 15, 20, 30], current, formatYears).filter(
    ({ value }) => Number(value) >= limits.AUDIT_RETENTION_YEARS_MIN,
  );
