import { api } from '../../api';
import type { ResultFlag } from '../../contract';
import type { PortalDocument } from '../../device';

export const LIST_PATH = '/api/v2/orders/remote-operations';

/** A row of the laboratory results search (R 3). */
export interface OrderRow {
  id: number;
  codeValue: string;
  orderDate: string;
  orderCollectionDate: string;
  patientLastName: string;
  patientFirstName: string;
  patientDoB: string;
  client: string | null;
  unit: string;
  patientRoom: string | null;
  patientBed: string | null;
  testNames: string[];
  status: number;
  hasSignature: boolean;
  hasAlert: boolean;
  hasAbnormal: boolean;
  alert: string | null;
  version: number;
}

interface Place {
  code: string;
  city: string;
  state: string;
}

export interface Order {
  id: number;
  codeValue: string;
  version: number;
  status: number;
  hasAlert: boolean;
  alert: string | null;
  patient: {
    id: number;
    code: string | null;
    firstName: string;
    middleName: string | null;
    lastName: string;
    birthDate: string;
    gender: string;
    address: string | null;
    zipCode: Place | null;
    phone: string | null;
    room: { name: string } | null;
    unit: { name: string } | null;
    bed: string | null;
    primaryPhysician: { firstName: string; lastName: string } | null;
  };
  physician: { firstName: string; lastName: string; npi: string } | null;
  patientClient: {
    code: string;
    name: string;
    address: string | null;
    zipCode: Place | null;
    phone: string | null;
    fax: string | null;
  } | null;
  collectionDate: string;
  receivedDate: string;
  reported: string | null;
  specimenCondition: string;
  reportComment: string | null;
  requisitionId: number;
  requisitionCode: string | null;
}

/** A row of the clinical tree (R 3). */
export interface ClinicalRow {
  key: number;
  parentKey: number | null;
  name: string;
  result: string | null;
  comment: string | null;
  flag: string | null;
  unit: string | null;
  referenceRange: string | null;
  clinicalRangeComment: string | null;
  isAbnormal: boolean;
  isCritical: boolean;
  isPanel: boolean;
  isCorrected: boolean;
  status: number;
}

export interface ResultsTypes {
  hasClinicalResult: boolean;
  hasMicrobiologyResult: boolean;
  hasToxicologyResult: boolean;
  hasPathologyResult: boolean;
}

export interface EntryRow {
  orderTestId: number;
  parentId: number | null;
  level: number;
  code: string;
  name: string;
  unit: string | null;
  referenceRange: string | null;
  resultType: number;
  choices: string[];
  isPanel: boolean;
  result: string | null;
  comment: string | null;
  flag: ResultFlag | null;
  status: number;
  /** Entered, not released, and meant to replace what was released before. */
  isCorrection: boolean;
  /** Who entered the result that is there, where that is known. */
  enteredBy: string | null;
  previousResult: string | null;
  previousDate: string | null;
  low: number | null;
  high: number | null;
  criticalLow: number | null;
  criticalHigh: number | null;
}

export interface ResultEntry {
  orderId: number;
  codeValue: string;
  version: number;
  status: number;
  patient: { lastName: string; firstName: string; birthDate: string; gender: string };
  rows: EntryRow[];
}

export interface ResultWrite {
  orderTestId: number;
  result: string | null;
  comment: string | null;
}

interface WriteContext {
  version: number;
  idempotencyKey: string;
}

const pathOf = (id: number) => `/api/v2/orders/${id}`;

export const loadOrder = (id: number, signal: AbortSignal) =>
  api.get<Order>(pathOf(id), { signal });

export const loadResultsTypes = (id: number, signal: AbortSignal) =>
  api.get<ResultsTypes>(`${pathOf(id)}/results-types`, { signal });

export const loadClinicalResults = (id: number, signal: AbortSignal) =>
  api.get<ClinicalRow[]>(`${pathOf(id)}/clinical-results`, { signal });

export const loadResultEntry = (id: number, signal?: AbortSignal) =>
  api.get<ResultEntry>(`${pathOf(id)}/result-entry`, { signal });

export const saveResults = (id: number, results: ResultWrite[], context: WriteContext) =>
  api.put<ResultEntry>(`${pathOf(id)}/result-entry`, { body: { results }, ...context });

export const releaseResults = (id: number, context: WriteContext) =>
  api.post<ResultEntry>(`${pathOf(id)}/release`, { body: { orderTestIds: null }, ...context });

/** The results report of these orders. */
export const resultsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/order/results?${ids.map((id) => `ids=${id}`).join('&')}`,
  name: 'results.pdf',
});
