import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, firstPage, loadPage } from '../../api';
import { extractDigits } from '../../lib/mask';
import { limits, type Wire } from '../../contract';
import type { Insurance } from './rules';

/** A kind of coverage: MEDICARE, COMMERCIAL ... */
export type BillType = Wire<'BillTypesRow'>;

export type Payer = Pick<Wire<'PayersRow'>, 'id' | 'name'>;

/** An insurance row as loaded (O 3). */
export type InsuranceRecord = Wire<'InsuranceRow'>;

/** An insurance row as sent; an id updates the existing row. */
export type InsuranceWrite = Wire<'InsuranceWrite'>;

const byName = { ...firstPage, sort: [{ column: 'name', descending: false }] };

async function loadBillTypes(signal?: AbortSignal): Promise<BillType[]> {
  const path = '/api/v2/billing-information/bill-types/remote-operations';
  const request = { ...byName, pageSize: limits.TAKE_MAX };
  return (await loadPage<BillType>(path, request, {}, signal)).data;
}

export const billTypesQuery = queryOptions({
  queryKey: ['billing', 'bill-types'],
  queryFn: ({ signal }) => loadBillTypes(signal),
  staleTime: Infinity,
});

/** Searches the payers of a bill type by name. */
async function searchPayers(
  billTypeId: number,
  search: string,
  signal: AbortSignal,
): Promise<Payer[]> {
  const path = `/api/v2/billing-information/payers/remote-operations/${billTypeId}`;
  const request = { ...byName, pageSize: limits.PICKER_PAGE_SIZE };
  return (await loadPage<Payer>(path, request, { search }, signal)).data;
}

/** The payers for a picker; none before the bill type is chosen. */
export const payersQuery = (search: string, billTypeId: number | null) =>
  queryOptions({
    queryKey: ['billing', 'payers', billTypeId, search],
    queryFn: ({ signal }) => (billTypeId === null ? [] : searchPayers(billTypeId, search, signal)),
    meta: { quiet: true },
  });

/** Loads the patient's current insurance rows. */
export const loadPatientInsurance = (patientId: number): Promise<InsuranceRecord[]> =>
  api.get<InsuranceRecord[]>(`/api/v2/patients/${patientId}/billing-info`);

/** The rows for an ordering form. The query fails for a patient that the user cannot access. */
export const patientInsuranceQuery = (patientId: number) =>
  queryOptions({
    queryKey: ['patients', patientId, 'insurance'],
    queryFn: () => loadPatientInsurance(patientId),
    meta: { quiet: true },
  });

/** Replaces the cached rows of a patient after a save. */
export function storePatientInsurance(
  queries: QueryClient,
  patientId: number,
  records: InsuranceRecord[],
): void {
  queries.setQueryData(patientInsuranceQuery(patientId).queryKey, records);
}

/** Converts records to rows of the editor, in order. */
export const toInsurances = (records: readonly InsuranceRecord[]): Insurance[] =>
  [...records]
    .sort((a, b) => a.order - b.order)
    .map((record, index) => ({
      key: String(record.id),
      id: record.id,
      order: index + 1,
      billType: { id: record.billTypeId, name: record.billType },
      payer: { id: record.payerId, name: record.payer },
      insuranceId: record.insuranceId,
      groupNumber: record.groupNumber ?? '',
      relationship: record.relationship ?? '',
      differentThanPatient: record.differentThanPatient,
      lastName: record.lastName ?? '',
      firstName: record.firstName ?? '',
      middleName: record.middleName ?? '',
      birthDate: record.birthDate ?? '',
      gender: record.gender ?? '',
      phone: extractDigits(record.phone ?? ''),
      address: record.address ?? '',
      zipCodeName: record.zipCode?.code ?? '',
      zipCodePlus4: record.zipCodePlus4 ?? '',
    }));

const emptyToNull = (text: string): string | null => text.trim() || null;

/** Converts a row completed from its patient to the wire format. */
export const toInsuranceWrite = (row: Insurance): InsuranceWrite => ({
  ...(row.id === null ? {} : { id: row.id }),
  billTypeId: row.billType?.id ?? null,
  payerId: row.payer?.id ?? null,
  insuranceId: emptyToNull(row.insuranceId),
  groupNumber: emptyToNull(row.groupNumber),
  relationship: emptyToNull(row.relationship),
  differentThanPatient: row.differentThanPatient,
  lastName: emptyToNull(row.lastName),
  firstName: emptyToNull(row.firstName),
  middleName: emptyToNull(row.middleName),
  birthDate: emptyToNull(row.birthDate),
  gender: emptyToNull(row.gender),
  phone: emptyToNull(row.phone),
  address: emptyToNull(row.address),
  zipCode: row.zipCodeName === '' ? null : { code: row.zipCodeName },
  zipCodePlus4: emptyToNull(row.zipCodePlus4),
});
