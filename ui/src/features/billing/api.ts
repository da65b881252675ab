import { queryOptions } from '@tanstack/react-query';

import { api, firstPage, loadPage } from '../../api';
import { digitsOf } from '../../lib/mask';
import { limits, type Wire } from '../../contract';
import type { Insurance } from './rules';

/** A kind of coverage: MEDICARE, COMMERCIAL ... */
export type BillType = Wire<'BillTypesRow'>;

export type Payer = Pick<Wire<'PayersRow'>, 'id' | 'name'>;

/** An insurance row as read (O 3). */
export type InsuranceRecord = Wire<'InsuranceRow'>;

/** An insurance row as sent; an id keeps the identity of the row it belongs to. */
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

/** The payers of a bill type whose name matches. */
async function searchPayers(
  billTypeId: number,
  search: string,
  signal: AbortSignal,
): Promise<Payer[]> {
  const path = `/api/v2/billing-information/payers/remote-operations/${billTypeId}`;
  const request = { ...byName, pageSize: limits.PICKER_PAGE_SIZE };
  return (await loadPage<Payer>(path, request, { search }, signal)).data;
}

/** The same for a picker; none before the bill type is chosen. */
export const payersQuery = (search: string, billTypeId: number | null) =>
  queryOptions({
    queryKey: ['billing', 'payers', billTypeId, search],
    queryFn: ({ signal }) => (billTypeId === null ? [] : searchPayers(billTypeId, search, signal)),
    meta: { quiet: true },
  });

/** The insurance rows that a patient has now. */
export const loadPatientInsurance = (patientId: number): Promise<InsuranceRecord[]> =>
  api.get<InsuranceRecord[]>(`/api/v2/patients/${patientId}/billing-info`);

/** The same for whoever orders: a patient who is out of sight has rows that nobody may compare with. */
export const patientInsuranceQuery = (patientId: number) =>
  queryOptions({
    queryKey: ['patients', patientId, 'insurance'],
    queryFn: () => loadPatientInsurance(patientId),
    meta: { quiet: true },
  });

/** Rows as the editor holds them, in their order. */
export const insuranceOf = (records: readonly InsuranceRecord[]): Insurance[] =>
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
      phone: digitsOf(record.phone ?? ''),
      address: record.address ?? '',
      zipCodeName: record.zipCode?.code ?? '',
      zipCodePlus4: record.zipCodePlus4 ?? '',
    }));

const orNull = (text: string): string | null => text.trim() || null;

/** A row that has been completed from its patient, for the wire. */
export const insuranceWrite = (row: Insurance): InsuranceWrite => ({
  ...(row.id === null ? {} : { id: row.id }),
  billTypeId: row.billType?.id ?? null,
  payerId: row.payer?.id ?? null,
  insuranceId: orNull(row.insuranceId),
  groupNumber: orNull(row.groupNumber),
  relationship: orNull(row.relationship),
  differentThanPatient: row.differentThanPatient,
  lastName: orNull(row.lastName),
  firstName: orNull(row.firstName),
  middleName: orNull(row.middleName),
  birthDate: orNull(row.birthDate),
  gender: orNull(row.gender),
  phone: orNull(row.phone),
  address: orNull(row.address),
  zipCode: row.zipCodeName === '' ? null : { code: row.zipCodeName },
  zipCodePlus4: orNull(row.zipCodePlus4),
});
