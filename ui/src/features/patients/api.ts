import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, firstPage, loadPage, type Page, type Query } from '../../api';
import type { SaveContext } from '../../components/forms/recordForm';
import { formatDate } from '../../lib/dates';
import { limits, type Wire } from '../../contract';
import type { InsuranceWrite } from '../billing/api';
import type { ClientRow, UnitRow } from '../clients/api';

export const PATIENT_LIST_PATH = '/api/v2/patients/remote-operations';
const CLIENT_LIST_PATH = '/api/v2/clients/remote-operations';

/** A patient in lists. `ssn` shows at most the last four digits. */
export type PatientRow = Wire<'PatientsRow'>;

/** The search criteria for a patient: an ISO date, nine digits of the SSN. */
export interface PatientSearch {
  lastName: string;
  firstName: string;
  birthDate: string;
  ssn: string;
}

/** Builds the filters of the list; the date is sent as MM/DD/YYYY (O 5). */
export const buildSearchQuery = (search: PatientSearch, fromSearch: boolean): Query => ({
  lastName: search.lastName.trim(),
  firstName: search.firstName.trim(),
  birthDate: formatDate(search.birthDate),
  ssn: search.ssn,
  fromSearch,
});

/** A patient's client, as loaded with the patient. */
export type PatientClient = Pick<
  ClientRow,
  'id' | 'code' | 'name' | 'webAccess' | 'address' | 'zipCode' | 'zipCodePlus4' | 'defaultBillTo'
>;

/** The request body of a patient: the whole record with its lists. */
export type PatientWrite = Wire<'PatientWrite'>;

/** A patient as loaded. Patients registered elsewhere may lack parts of the address. */
export type PatientRecord = Wire<'PatientRead'>;

/** A patient with the client's row, which says whether the client has units. */
export interface EditedPatient extends PatientRecord {
  clientRow: ClientRow | null;
}

export const loadPatient = (id: number, signal?: AbortSignal): Promise<PatientRecord> =>
  api.get<PatientRecord>(`/api/v2/patients/${id}`, { signal });

const SINGLE_ROW = { page: 0, pageSize: 1, sort: [], columns: {} };

const PATIENTS = 'patients';

/** A patient to order for; always loaded again. */
export const patientQuery = (id: number) =>
  queryOptions({
    queryKey: [PATIENTS, id],
    queryFn: ({ signal }) => loadPatient(id, signal),
    gcTime: 0,
    meta: { quiet: true },
  });

/** Loads the record that the form edits. */
export async function loadForEditing(id: number, signal?: AbortSignal): Promise<EditedPatient> {
  const record = await loadPatient(id, signal);
  const filters = { clientIds: record.clientId };
  const { data } = await loadPage<ClientRow>(CLIENT_LIST_PATH, SINGLE_ROW, filters, signal);
  return { ...record, clientRow: data[0] ?? null };
}

/** A patient in a list of matches. */
export type PatientMatch = Pick<PatientRow, 'id' | 'code' | 'firstName' | 'lastName' | 'birthDate'>;

/** Searches patients; 'SMITH, JO' matches the beginnings of last and first name. */
async function searchMatches(search: string, signal: AbortSignal): Promise<PatientMatch[]> {
  const [lastName = '', firstName = ''] = search.split(',').map((part) => part.trim());
  const request = {
    ...firstPage,
    pageSize: limits.PICKER_PAGE_SIZE,
    sort: [{ column: 'lastName', descending: false }],
  };
  const filters = { lastName, firstName, fromSearch: true };
  return (await loadPage<PatientMatch>(PATIENT_LIST_PATH, request, filters, signal)).data;
}

export const patientPickerQuery = (search: string) =>
  queryOptions({
    queryKey: [PATIENTS, 'picker', search],
    queryFn: ({ signal }) => searchMatches(search, signal),
    meta: { quiet: true },
  });

/** A patient to edit; always loaded again, since an old copy would only lead to a conflict. */
export const editedPatientQuery = (id: number) =>
  queryOptions({
    queryKey: [PATIENTS, id, 'edited'],
    queryFn: ({ signal }) => loadForEditing(id, signal),
    gcTime: 0,
    meta: { quiet: true },
  });

/** Reloads everything that shows patients, after one was saved. */
export function refreshPatients(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [PATIENT_LIST_PATH] });
  void queries.invalidateQueries({ queryKey: [PATIENTS] });
}

/** A client with its unit, if it has exactly one. */
export interface Place {
  client: ClientRow;
  unit: UnitRow | null;
}

/** Loads the client of a user with exactly one client; null for all others. */
export async function loadOnlyClient(signal?: AbortSignal): Promise<Place | null> {
  const { data, totalCount } = await loadPage<ClientRow>(CLIENT_LIST_PATH, SINGLE_ROW, {}, signal);
  const [client] = data;
  if (client === undefined || totalCount !== 1) return null;
  return { client, unit: client.unitsCount === 1 ? await loadOnlyUnit(client.id) : null };
}

export const onlyClientQuery = queryOptions({
  queryKey: ['clients', 'only'],
  queryFn: ({ signal }) => loadOnlyClient(signal),
  meta: { quiet: true },
});

export const registerPatient = (
  body: PatientWrite,
  { idempotencyKey }: SaveContext,
): Promise<PatientRecord> => api.post<PatientRecord>('/api/v2/patients', { body, idempotencyKey });

export const changePatient = (
  id: number,
  body: PatientWrite,
  context: SaveContext,
): Promise<PatientRecord> => api.put<PatientRecord>(`/api/v2/patients/${id}`, { body, ...context });

/** Replaces the patient's insurance rows (O 7). */
export const savePatientInsurance = (
  id: number,
  rows: readonly InsuranceWrite[],
  context: SaveContext,
): Promise<PatientRecord> =>
  api.post<PatientRecord>(`/api/v2/patients/${id}/save-billing-info`, { body: rows, ...context });

/** Whether another patient has this number (O 7). */
export const isSsnInUse = (ssn: string, patientId: number | null): Promise<boolean> =>
  api.post<boolean>('/api/v2/patients/validate-ssn', {
    body: { ssn, patientId } satisfies Wire<'SsnCheck'>,
  });

const SSN_CHECK_STALE_MS = 30_000;

/** The same check, sent once per number and patient however often a form is validated. */
export const ssnInUseQuery = (ssn: string, patientId: number | null) =>
  queryOptions({
    queryKey: [PATIENTS, 'ssn-in-use', ssn, patientId],
    queryFn: () => isSsnInUse(ssn, patientId),
    staleTime: SSN_CHECK_STALE_MS,
    gcTime: SSN_CHECK_STALE_MS,
    meta: { quiet: true },
  });

/** Loads one unit of a client. */
export async function loadUnit(clientId: number, unitId: number): Promise<UnitRow | null> {
  const path = `/api/v2/clients/${clientId}/units/remote-operations`;
  const request = { ...SINGLE_ROW, columns: { id: String(unitId) } };
  return (await loadPage<UnitRow>(path, request, {})).data[0] ?? null;
}

/** Loads the unit of a client with exactly one unit. */
export async function loadOnlyUnit(clientId: number): Promise<UnitRow | null> {
  const path = `/api/v2/clients/${clientId}/units/remote-operations`;
  return (await loadPage<UnitRow>(path, SINGLE_ROW, {})).data[0] ?? null;
}

/** Whether the patient belongs to one of these clients (O 7). */
export const belongsToClients = (
  patientId: number,
  clientIds: readonly number[],
): Promise<boolean> =>
  api.get<boolean>('/api/v2/patients/check-clients', { query: { patientId, clientIds } });

/** The changes made by the Update Patient dialog (O 2.5). */
export type PlaceWrite = Wire<'PlaceWrite'>;

/** Changes a patient's client, unit, room, bed and primary physician (O 7). */
export const changePlace = (body: PlaceWrite, context: SaveContext): Promise<PatientRecord> =>
  api.put<PatientRecord>('/api/v2/patients/client-physician', { body, ...context });

export type LookAlikeReason = Wire<'LookAlikeReason'>;

/** A patient who resembles the one being entered, with the reasons. */
export type LookAlike = Wire<'LookAlike'>;

/**
 * What is known about a patient while they are being entered; `patientId` is the patient being
 * edited, who is not a look-alike of themselves.
 */
export type Likeness = Wire<'LookAlikeQuery'>;

/**
 * The accessible patients who look alike. The query is sent by POST, to keep names out of
 * addresses.
 */
export const lookAlikesQuery = (likeness: Likeness) =>
  queryOptions({
    queryKey: [PATIENTS, 'look-alikes', likeness],
    queryFn: ({ signal }) =>
      api.post<LookAlike[]>('/api/v2/patients/look-alikes', { body: likeness, signal }),
    meta: { quiet: true },
  });

/** An event in a patient's history; `at` is an instant. */
export type TimelineEvent = Wire<'TimelineEvent'>;

/** The events of a patient, newest first, page by page. */
export const timelineQuery = (patientId: number) =>
  infiniteQueryOptions({
    queryKey: [PATIENTS, patientId, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<TimelineEvent>>(`/api/v2/patients/${patientId}/timeline`, {
        query: { skip: pageParam, take: limits.PAGE_SIZE_DEFAULT },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (lastPage, pages) => {
      const loadedCount = pages.reduce((sum, page) => sum + page.data.length, 0);
      return loadedCount < lastPage.totalCount && lastPage.data.length > 0
        ? loadedCount
        : undefined;
    },
    meta: { quiet: true },
  });
