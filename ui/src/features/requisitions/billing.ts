/**
 * The insurance billed for a requisition: its patient's rows in the requisition's order, each as it
 * was when it was chosen (O 2.3, O 4, ADR 9). Plain functions: no clock, no request.
 */
import { applyMask, masks } from '../../lib/mask';
import { sortRows } from '../../lib/ordering';
import { limits } from '../../contract';
import { toInsurances, type InsuranceRecord } from '../billing/api';
import type { Insurance } from '../billing/rules';
import type { BilledRecord } from './api';

/** Builds the rows of a saved requisition, with the values from when they were chosen. */
export const buildBilledRows = (records: readonly BilledRecord[]): Insurance[] =>
  toInsurances(
    records.map((record) => ({
      ...record,
      id: record.patientBillingInformationId,
      order: record.position,
    })),
  );

/** Builds the rows of a new requisition: all rows of the patient, as they are now. */
export const buildOfferedRows = (records: readonly InsuranceRecord[]): Insurance[] =>
  toInsurances(records).slice(0, limits.REQUISITION_INSURANCE_MAX);

/** Returns the patient's rows that are not on the list yet. */
export const listAddableRows = (
  rows: readonly Insurance[],
  patientRows: readonly Insurance[],
): Insurance[] =>
  rows.length >= limits.REQUISITION_INSURANCE_MAX
    ? []
    : patientRows.filter(({ key }) => !rows.some((row) => row.key === key));

/** Adds one of the patient's rows at the end of the list (O 4: order = count + 1). */
export const addRow = (rows: readonly Insurance[], row: Insurance): Insurance[] => [
  ...sortRows(rows),
  { ...row, order: rows.length + 1 },
];

/** Replaces one row with the patient's row as it is now, at the same position. */
export const replaceRow = (
  rows: readonly Insurance[],
  key: string,
  patientRows: readonly Insurance[],
): Insurance[] => {
  const current = patientRows.find((row) => row.key === key);
  return rows.map((row) => (row.key === key && current ? { ...current, order: row.order } : row));
};

/** The labels and values of an insurance row. */
export const insuranceFacts: readonly (readonly [string, (row: Insurance) => string])[] = [
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
  ['Phone', (row) => applyMask(row.phone, masks.phone)],
  ['Address', (row) => row.address],
  ['Zip Code', (row) => row.zipCodeName],
  ['Zip Plus 4', (row) => row.zipCodePlus4],
];

/** How a chosen row differs from the patient's current row. */
export type Difference =
  { kind: 'same' } | { kind: 'gone' } | { kind: 'changed'; fields: readonly string[] };

/**
 * Compares a chosen row with the patient's current rows.
 * @param patientRows null while they are unknown; then nothing counts as different
 */
export function compareWithPatient(
  row: Insurance,
  patientRows: readonly Insurance[] | null,
): Difference {
  if (patientRows === null) return { kind: 'same' };
  const currentRow = patientRows.find(({ key }) => key === row.key);
  if (currentRow === undefined) return { kind: 'gone' };
  const fields = insuranceFacts
    .filter(([, getValue]) => getValue(row) !== getValue(currentRow))
    .map(([label]) => label);
  return fields.length === 0 ? { kind: 'same' } : { kind: 'changed', fields };
}

/** Builds the list to send; positions count from 1. */
export const buildBillingWrite = (rows: readonly Insurance[]) =>
  sortRows(rows).map((row, index) => ({
    patientBillingInformationId: row.id,
    position: index + 1,
  }));
