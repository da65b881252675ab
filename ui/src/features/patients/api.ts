import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, firstPage, loadPage, type Page, type Query } from '../../api';
import type { SaveContext } from '../../components/forms/useRecordForm';
import { formatDate } from '../../lib/dates';
import { limits, type Wire } from '../../contract';
import type { ClientRow, UnitRow } from '../clients/api';

export const PATIENT_LIST_PATH = '/api/v2/patients/remote-operations';
const CLIENT_LIST_PATH = '/api/v2/clients/remote-operations';

/** A patient in lists; `ssn` shows the last four digits at most. */
export type PatientRow = Wire<'PatientsRow'>;

/** What a person types to find a patient: an ISO date, nine digits of the SSN. */
export interface PatientSearch {
  lastName: string;
  firstName: string;
  birthDate: string;
  ssn: string;
}

/** The list's filters; the date goes as MM/DD/YYYY (O 5). */
export const searchQuery = (search: PatientSearch, fromSearch: boolean): Query => ({
  lastName: search.lastName.trim(),
  firstName: search.firstName.trim(),
  birthDate: formatDate(search.birthDate),
  ssn: search.ssn,
  fromSearch,
});

/** A patient's client, as it comes with the patient. */
export type PatientClient = Pick<
  ClientRow,
  'id' | 'code' | 'name' | 'webAccess' | 'address' | 'zipCode' | 'zipCodePlus4' | 'defaultBillTo'
>;

/** A patient as sent: the whole record with its lists. */
export type PatientWrite = Wire<'PatientWrite'>;

/** A patient as read; patients registered elsewhere may lack parts of the address. */
export type PatientRecord = Wire<'PatientRead'>;

/** A patient together with the client's row, which says whether the client has units. */
export interface EditedPatient extends PatientRecord {
  clientRow: ClientRow | null;
}

export const loadPatient = (id: number, signal?: AbortSignal): Promise<PatientRecord> =>
  api.get<PatientRecord>(`/api/v2/patients/${id}`, { signal });

const onlyRow = { page: 0, pageSize: 1, sort: [], columns: {} };

const PATIENTS = 'patients';

/** A patient as somebody orders for them: read anew each time. */
export const patientQuery = (id: number) =>
  queryOptions({
    queryKey: [PATIENTS, id],
    queryFn: ({ signal }) => loadPatient(id, signal),
    gcTime: 0,
    meta: { quiet: true },
  });

/** What the form edits. */
export async function loadForEditing(id: number, signal?: AbortSignal): Promise<EditedPatient> {
  const record = await loadPatient(id, signal);
  const filters = { clientIds: record.clientId };
  const { data } = await loadPage<ClientRow>(CLIENT_LIST_PATH, onlyRow, filters, signal);
  return { ...record, clientRow: data[0] ?? null };
}

/** A patient in a list of matches. */
export interface PatientMatch {
  id: number;
  code: string;
  firstName: string;
  lastName: string;
  birthDate: string;
}

/** 'SMITH, JO' searches last and first name by their beginnings. */
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

export const matchesQuery = (search: string) =>
  queryOptions({
    queryKey: [PATIENTS, 'picker', search],
    queryFn: ({ signal }) => searchMatches(search, signal),
    meta: { quiet: true },
  });

/** A patient to be edited: an old copy would only lead to a conflict. */
export const editedPatientQuery = (id: number) =>
  queryOptions({
    queryKey: [PATIENTS, id, 'edited'],
    queryFn: ({ signal }) => loadForEditing(id, signal),
    gcTime: 0,
    meta: { quiet: true },
  });

/** After a patient was saved: all that shows patients reads them again. */
export function refreshPatients(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [PATIENT_LIST_PATH] });
  void queries.invalidateQueries({ queryKey: [PATIENTS] });
}

/** A client with its unit, where it has a single one. */
export interface Place {
  client: ClientRow;
  unit: UnitRow | null;
}

/** The client of somebody who has just one; null for everybody else. */
export async function loadOnlyClient(signal?: AbortSignal): Promise<Place | null> {
  const { data, totalCount } = await loadPage<ClientRow>(CLIENT_LIST_PATH, onlyRow, {}, signal);
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

/** Whether another patient has this number (O 7). */
export const ssnIsInUse = (ssn: string, patientId: number | null): Promise<boolean> =>
  api.get<boolean>('/api/v2/patients/validate-ssn', { query: { ssn, patientId } });

const SSN_ANSWER_HOLDS_MS = 30_000;

/** The same question, asked once for each number and patient, however often a form is checked. */
export const ssnInUseQuery = (ssn: string, patientId: number | null) =>
  queryOptions({
    queryKey: [PATIENTS, 'ssn-in-use', ssn, patientId],
    queryFn: () => ssnIsInUse(ssn, patientId),
    staleTime: SSN_ANSWER_HOLDS_MS,
    gcTime: SSN_ANSWER_HOLDS_MS,
    meta: { quiet: true },
  });

/** One unit of a client, by its id. */
export async function loadUnit(clientId: number, unitId: number): Promise<UnitRow | null> {
  const path = `/api/v2/clients/${clientId}/units/remote-operations`;
  const request = { ...onlyRow, columns: { id: String(unitId) } };
  return (await loadPage<UnitRow>(path, request, {})).data[0] ?? null;
}

/** The unit of a client that has a single one. */
export async function loadOnlyUnit(clientId: number): Promise<UnitRow | null> {
  const path = `/api/v2/clients/${clientId}/units/remote-operations`;
  return (await loadPage<UnitRow>(path, onlyRow, {})).data[0] ?? null;
}

/** Whether the patient belongs to one of these clients; false for any other patient (O 7). */
export const checkClients = (patientId: number, clientIds: readonly number[]): Promise<boolean> =>
  api.get<boolean>('/api/v2/patients/check-clients', { query: { patientId, clientIds } });

/** What the Update Patient dialog changes (O 2.5). */
export type PlaceWrite = Wire<'PlaceWrite'>;

/** Gives a patient a client, unit, room, bed and primary physician (O 7). */
export const changePlace = (body: PlaceWrite, context: SaveContext): Promise<PatientRecord> =>
  api.put<PatientRecord>('/api/v2/patients/client-physician', { body, ...context });

export type LookAlikeReason =
  'sameSsn' | 'sameBirthDate' | 'sameName' | 'similarName' | 'namesSwapped';

/** A patient who resembles the one being typed, and why. */
export type LookAlike = Wire<'LookAlike'>;

/** What is known of somebody while they are typed. */
export interface Likeness {
  lastName: string;
  firstName: string;
  birthDate: string | null;
  socialSecurityNumber: string | null;
  /** The patient being edited is no look-alike of their own. */
  patientId: number | null;
}

/** Who of the patients this person may see looks like that; a read, but not one for an address. */
export const lookAlikesQuery = (like: Likeness) =>
  queryOptions({
    queryKey: [PATIENTS, 'look-alikes', like],
    queryFn: ({ signal }) =>
      api.post<LookAlike[]>('/api/v2/patients/look-alikes', { body: like, signal }),
    meta: { quiet: true },
  });

/** Something that happened to a patient; `at` is an instant. */
export type TimelineEvent = Wire<'TimelineEvent'>;

/** What happened to a patient, newest first, a page at a time. */
export const timelineQuery = (patientId: number) =>
  infiniteQueryOptions({
    queryKey: [PATIENTS, patientId, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<TimelineEvent>>(`/api/v2/patients/${patientId}/timeline`, {
        query: { skip: pageParam, take: limits.PAGE_SIZE_DEFAULT },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.data.length, 0);
      return shown < last.totalCount && last.data.length > 0 ? shown : undefined;
    },
    meta: { quiet: true },
  });
