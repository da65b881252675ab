/**
 * Whom a requisition is billed to: insurance rows of its patient in an order of their own, each as
 * it was when it was chosen (O 2.3, O 4, ADR 9). Plain functions: no clock, no request.
 */
import { inOrder } from '../../lib/ordering';
import { limits } from '../../contract';
import { insuranceOf, type InsuranceRecord } from '../billing/api';
import type { Insurance } from '../billing/rules';
import type { BilledRecord } from './api';

/** The rows of a stored requisition: what the patient's rows said when they were chosen. */
export const billedOf = (records: readonly BilledRecord[]): Insurance[] =>
  insuranceOf(
    records.map((record) => ({
      ...record,
      id: record.patientBillingInformationId,
      order: record.position,
    })),
  );

/** What a requisition of this patient begins with: all rows, as the patient has them. */
export const offeredOf = (records: readonly InsuranceRecord[]): Insurance[] =>
  insuranceOf(records).slice(0, limits.REQUISITION_INSURANCE_MAX);

/** The patient's rows that are not on the list yet. */
export const addable = (
  rows: readonly Insurance[],
  patientRows: readonly Insurance[],
): Insurance[] =>
  rows.length >= limits.REQUISITION_INSURANCE_MAX
    ? []
    : patientRows.filter(({ key }) => !rows.some((row) => row.key === key));

/** The list with one of the patient's rows behind it (O 4: order = count + 1). */
export const withRow = (rows: readonly Insurance[], row: Insurance): Insurance[] => [
  ...inOrder(rows),
  { ...row, order: rows.length + 1 },
];

/** What a row says, by the words for it. */
export const facts: readonly (readonly [string, (row: Insurance) => string])[] = [
  ['Payer', (row) => row.payer?.name ?? ''],
  ['Bill Type', (row) => row.billType?.name ?? ''],
  ['Insurance Id', (row) => row.insuranceId],
  ['Group Number', (row) => row.groupNumber],
  ['Relationship', (row) => row.relationship],
  ['Last Name', (row) => row.lastName],
  ['First Name', (row) => row.firstName],
  ['Middle Name', (row) => row.middleName],
  ['Birth Date', (row) => row.birthDate],
  ['Gender', (row) => row.gender],
  ['Phone', (row) => row.phone],
  ['Address', (row) => row.address],
  ['Zip Code', (row) => row.zipCodeName],
  ['Zip Plus 4', (row) => row.zipCodePlus4],
];

/** How a chosen row differs from the patient's row of today. */
export type Difference =
  { kind: 'same' } | { kind: 'gone' } | { kind: 'changed'; fields: readonly string[] };

/**
 * @param patientRows the patient's rows of today; null while nobody knows them, and then nothing
 *   is said to differ.
 */
export function differenceOf(row: Insurance, patientRows: readonly Insurance[] | null): Difference {
  if (patientRows === null) return { kind: 'same' };
  const now = patientRows.find(({ key }) => key === row.key);
  if (now === undefined) return { kind: 'gone' };
  const fields = facts.filter(([, of]) => of(row) !== of(now)).map(([label]) => label);
  return fields.length === 0 ? { kind: 'same' } : { kind: 'changed', fields };
}

/** The list as it is sent; positions count from 1. */
export const billingWrite = (rows: readonly Insurance[]) =>
  inOrder(rows).map((row, index) => ({
    patientBillingInformationId: row.id,
    position: index + 1,
  }));
