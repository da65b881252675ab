import { api, loadPage, type Page, type Query } from '../../api';
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

/** What the form edits. */
export async function loadForEditing(id: number, signal?: AbortSignal): Promise<EditedPatient> {
  const record = await loadPatient(id, signal);
  const filters = { clientIds: record.clientId };
  const { data } = await loadPage<ClientRow>(CLIENT_LIST_PATH, onlyRow, filters, signal);
  return { ...record, clientRow: data[0] ?? null };
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

/** Who of the patients this person may see looks like that; a read, but not one for an address. */
export const loadLookAlikes = (
  like: {
    lastName: string;
    firstName: string;
    birthDate: string | null;
    socialSecurityNumber: string | null;
    patientId?: number | null;
  },
  signal?: AbortSignal,
): Promise<LookAlike[]> =>
  api.post<LookAlike[]>('/api/v2/patients/look-alikes', { body: like, signal });

/** Something that happened to a patient; `at` is an instant. */
export type TimelineEvent = Wire<'TimelineEvent'>;

export const loadTimeline = (
  patientId: number,
  skip: number,
  signal?: AbortSignal,
): Promise<Page<TimelineEvent>> =>
  api.get<Page<TimelineEvent>>(`/api/v2/patients/${patientId}/timeline`, {
    query: { skip, take: limits.PAGE_SIZE_DEFAULT },
    signal,
  });
