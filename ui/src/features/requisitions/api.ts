import { api } from '../../api';
import type { SaveContext } from '../../components/forms/useRecordForm';
import type { InsuranceRecord } from '../billing/api';
import type { PhysicianRow } from '../physicians/api';

export const LIST_PATH = '/api/v2/requisitions/remote-operations';

export interface RequisitionRow {
  id: number;
  code: string;
  collectionDate: string;
  patientLastName: string;
  patientFirstName: string;
  patientBirthDate: string;
  clientName: string;
  unit: string | null;
  room: string | null;
  bed: string | null;
  tests: string[];
  hasSignature: boolean;
  status: number;
  version: number;
  orderId: number | null;
}

export interface CatalogTest {
  id: number;
  code: string;
  name: string;
  alternateNames: string | null;
  type: 'TEST' | 'PANEL';
}

/** A test of a requisition; panels carry their members. */
export interface RequisitionTest {
  childId: number;
  level: number;
  isConfidential: boolean;
  test: CatalogTest;
  children: RequisitionTest[];
}

export interface Diagnosis {
  id: number;
  code: string;
  description: string;
}

/** A diagnosis of the requisition; without a test it supports all of them. */
export interface OrderedDiagnosis extends Diagnosis {
  testId: number | null;
}

/** An insurance row to bill to, as it was when it was chosen. */
export interface BilledRecord extends InsuranceRecord {
  patientBillingInformationId: number;
  position: number;
}

export interface RequisitionPatient {
  id: number;
  code: string | null;
  firstName: string;
  middleName: string | null;
  lastName: string;
  birthDate: string;
  gender: string;
  client: {
    id: number;
    code: string;
    name: string;
    webAccess: boolean;
    defaultBillTo: string | null;
  } | null;
  unit: { name: string } | null;
  room: { name: string } | null;
  bed: string | null;
  primaryPhysician: PhysicianRow | null;
  /** There when the patient was read by itself: what a new requisition begins with. */
  diagnoses?: Diagnosis[];
  medications?: { name: string }[];
  insuranceInformation?: InsuranceRecord[];
}

export interface Requisition {
  id: number;
  code: string;
  version: number;
  status: number;
  collectionDate: string;
  fasting: number;
  priority: string;
  billTo: string;
  comments: string | null;
  cancelComment: string | null;
  hasSignature: boolean;
  signedByMe: boolean;
  patientId: number;
  patient: RequisitionPatient;
  physicianId: number | null;
  physician: PhysicianRow | null;
  tests: RequisitionTest[];
  additionalTestsDxCodes: Diagnosis[];
  diagnoses: OrderedDiagnosis[];
  medications: { name: string }[];
  billingInformation: BilledRecord[];
  additionalCopies: AdditionalCopy[];
  orderId: number | null;
  orderCode: string | null;
}

/** Who else gets the results: an address by EMAIL, a number by FAX. */
export interface AdditionalCopy {
  type: string;
  destination: string;
}

/** What is sent to create or change a requisition. */
export interface RequisitionWrite {
  patientId: number | null;
  physicianId: number | null;
  collectionDate: string;
  fasting: number;
  priority: string;
  billTo: string;
  /** Absent: as they were. */
  comments?: string | null;
  tests: { test: { id: number }; isConfidential: boolean }[];
  diagnoses: { id: number; testId: number | null }[];
  additionalTestsDxCodes: { id: number }[];
  medications: { name: string }[];
  /** Absent: as they were, saying what they said. */
  billingInfo?: { patientBillingInformationId: number | null; position: number }[];
  additionalCopies: AdditionalCopy[];
}

export interface Signature {
  imageSignature: string;
  userName: string;
  signedDateTime: string;
}

/** A signature of the past or the present; in force while `removedAt` is null. */
export interface PastSignature extends Signature {
  id: number;
  removedAt: string | null;
}

interface Received {
  requisitionId: number;
  requisitionCode: string;
  orderId: number;
  orderCode: string;
  /** The collection time, where it is still to come. */
  collectionToCome: string | null;
}

const ROOT = '/api/v2/requisitions';

export const requisitionKey = (id: number) => ['requisition', id] as const;

export const loadRequisition = (id: number, signal?: AbortSignal): Promise<Requisition> =>
  api.get(`${ROOT}/${id}`, { signal });

/** Makes or changes a requisition; the draft of the form that was filled in goes with it. */
export function saveRequisition(
  id: number | null,
  body: RequisitionWrite,
  draftId: string,
  context: SaveContext,
): Promise<Requisition> {
  return api.post(id === null ? ROOT : `${ROOT}/${id}`, { body, query: { draftId }, ...context });
}

export const loadSignature = (id: number, signal?: AbortSignal): Promise<Signature> =>
  api.get(`${ROOT}/${id}/signature`, { signal });

/** Every signature there has been, the newest first. */
export const loadSignatures = (id: number, signal?: AbortSignal): Promise<PastSignature[]> =>
  api.get(`${ROOT}/${id}/signatures`, { signal });

/** Signs all or none; `versions` guard against signing what was not seen. */
export function signRequisitions(
  rows: readonly { id: number; version: number }[],
  image: string,
  username: string,
  idempotencyKey: string,
): Promise<{ data: { id: number; version: number }[] }> {
  const body = {
    image,
    username,
    requisitionsIds: rows.map((row) => row.id),
    versions: Object.fromEntries(rows.map((row) => [row.id, row.version])),
  };
  return api.post(`${ROOT}/sign-multiple`, { body, idempotencyKey });
}

/** Bills one or many to somebody else, all or none. */
export function changeBillTo(
  rows: readonly { id: number; version: number }[],
  billTo: string,
  idempotencyKey: string,
): Promise<unknown> {
  const body = {
    billTo,
    ids: rows.map((row) => row.id),
    versions: Object.fromEntries(rows.map((row) => [row.id, row.version])),
  };
  return api.put(`${ROOT}/change-bill-to`, { body, idempotencyKey });
}

export const unsignRequisition = (
  row: { id: number; version: number },
  idempotencyKey: string,
): Promise<Requisition> =>
  api.post(`${ROOT}/${row.id}/unsign`, { version: row.version, idempotencyKey });

export const cancelRequisition = (
  row: { id: number; version: number },
  comment: string,
  username: string,
  idempotencyKey: string,
): Promise<Requisition> =>
  api.post(`${ROOT}/${row.id}/cancel`, {
    body: { comment, username },
    version: row.version,
    idempotencyKey,
  });

/** The requisition of a code, its own or its order's; null when there is none. */
export const findByCode = (
  code: string,
): Promise<{ requisitionId: number; orderId: number | null } | null> =>
  api.get(`${ROOT}/by-code`, { query: { code } });

/** Marks specimens received, by rows or by one scanned code: their orders begin. */
export const receiveRequisitions = (
  what: { ids: number[] } | { code: string },
  idempotencyKey: string,
): Promise<Received[]> => api.post(`${ROOT}/receive`, { body: what, idempotencyKey });
