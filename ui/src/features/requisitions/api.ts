import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, ApiError, collectVersions, firstPage, loadPage } from '../../api';
import { RequisitionStatus, type Wire } from '../../contract';
import type { SaveContext } from '../../components/forms/recordForm';

export const LIST_PATH = '/api/v2/requisitions/remote-operations';

export type RequisitionRow = Wire<'RequisitionsRow'>;

export type CatalogTest = Wire<'TestShape'>;

/** A test of a requisition. A panel contains its members. */
export type RequisitionTest = Wire<'RequisitionTestRead'>;

export type Diagnosis = Wire<'DiagnosisShape'>;

/** A diagnosis of the requisition; without a test it supports all of them. */
export type OrderedDiagnosis = Wire<'DiagnosisOfTest'>;

/** The diagnoses that are valid on a day according to ICD-10-CM. */
export type Validity = Wire<'DiagnosisValidity'>;

/** An insurance row to bill, as it was when it was chosen. */
export type BilledRecord = Wire<'BillingInformation'>;

export type RequisitionPatient = Wire<'PatientOfRequisition'> &
  Partial<Pick<Wire<'PatientRead'>, 'diagnoses' | 'insuranceInformation'>> & {
    medications?: Pick<Wire<'Named'>, 'name'>[];
  };

export type Requisition = Wire<'RequisitionRead'>;

/** Another recipient of the results: an address for EMAIL, a number for FAX. */
export type AdditionalCopy = Wire<'CopyShape'>;

/** The request body that creates or changes a requisition. */
export type RequisitionWrite = Wire<'RequisitionWrite'>;

export type Signature = Wire<'SignatureRead'>;

/** A past or current signature; it is in force while `removedAt` is null. */
export type PastSignature = Wire<'SignatureHistoryRead'>;

type Received = Wire<'Received'>;

const ROOT = '/api/v2/requisitions';

export const loadRequisition = (id: number, signal?: AbortSignal): Promise<Requisition> =>
  api.get(`${ROOT}/${id}`, { signal });

export const requisitionQuery = (id: number) =>
  queryOptions({
    queryKey: ['requisitions', id],
    queryFn: ({ signal }) => loadRequisition(id, signal),
    meta: { quiet: true },
  });

/** Replaces the cached requisition with the portal's response. */
export function storeRequisition(queries: QueryClient, requisition: Requisition): void {
  queries.setQueryData(requisitionQuery(requisition.id).queryKey, requisition);
}

/**
 * Reloads a requisition after signing or unsigning, and drops its cached signature. A signature on
 * screen is not requested again: it disappears with the reload, and after Unsign there is none.
 */
export function refreshRequisition(queries: QueryClient, id: number): void {
  const signature = signatureQuery(id).queryKey;
  queries.removeQueries({ queryKey: signature, type: 'inactive' });
  void queries.invalidateQueries({ queryKey: signature, refetchType: 'none' });
  void queries.invalidateQueries({ queryKey: requisitionQuery(id).queryKey, exact: true });
}

const PREVIOUS = 'previous-requisitions';

/** The latest requisitions of a patient, newest first. */
export const previousRequisitionsQuery = (patientId: number, maxRows: number) =>
  queryOptions({
    queryKey: [PREVIOUS, patientId, maxRows],
    queryFn: async ({ signal }) => {
      const sort = [{ column: 'id', descending: true }];
      const request = { ...firstPage, pageSize: maxRows, sort };
      const filters = { patient: patientId };
      return (await loadPage<RequisitionRow>(LIST_PATH, request, filters, signal)).data;
    },
    meta: { quiet: true },
  });

/** The patient's requisitions of a day that are not canceled, newest first. */
export async function loadRequisitionsOfDay(
  patientId: number,
  day: string,
): Promise<RequisitionRow[]> {
  const request = { ...firstPage, sort: [{ column: 'id', descending: true }] };
  const status = RequisitionStatus.PENDING + RequisitionStatus.DONE;
  const filters = { patient: patientId, startDate: day, endDate: day, status };
  return (await loadPage<RequisitionRow>(LIST_PATH, request, filters)).data;
}

/** Reloads the previous requisitions after a save. */
export function refreshPreviousRequisitions(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [PREVIOUS] });
}

/** Creates or changes a requisition. The portal then deletes the draft of the form. */
export function saveRequisition(
  id: number | null,
  body: RequisitionWrite,
  draftId: string,
  context: SaveContext,
): Promise<Requisition> {
  return api.post(id === null ? ROOT : `${ROOT}/${id}`, { body, query: { draftId }, ...context });
}

const SIGNATURE_STALE_MS = 60_000;

/** The signature in force. */
export const signatureQuery = (id: number) =>
  queryOptions({
    queryKey: ['requisitions', id, 'signature'],
    queryFn: ({ signal }) => api.get<Signature>(`${ROOT}/${id}/signature`, { signal }),
    staleTime: SIGNATURE_STALE_MS,
    meta: { quiet: true },
  });

/** All signatures up to this version, newest first. */
export const signaturesQuery = ({ id, version }: Pick<Requisition, 'id' | 'version'>) =>
  queryOptions({
    queryKey: ['requisitions', id, 'signatures', version],
    queryFn: ({ signal }) => api.get<PastSignature[]>(`${ROOT}/${id}/signatures`, { signal }),
    meta: { quiet: true },
  });

/** The diagnoses among these that have expired by a day, and the ICD-10-CM release in use. */
export const validityQuery = (day: string | null, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['diagnosis-validity', day, [...ids].sort((a, b) => a - b)],
    queryFn: ({ signal }) =>
      api.get<Validity>('/api/v2/diagnoses/validity', { query: { date: day, id: ids }, signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  });

/**
 * Signs all requisitions or none. `versions` prevents signing content that the user has not seen.
 */
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
    versions: collectVersions(rows),
  } satisfies Wire<'SignRequest'>;
  return api.post(`${ROOT}/sign-multiple`, { body, idempotencyKey });
}

/** Changes who is billed for one or more requisitions, all or none. */
export function changeBillTo(
  rows: readonly { id: number; version: number }[],
  billTo: string,
  idempotencyKey: string,
): Promise<unknown> {
  const body = {
    billTo,
    ids: rows.map((row) => row.id),
    versions: collectVersions(rows),
  } satisfies Wire<'BillToRequest'>;
  return api.put(`${ROOT}/change-bill-to`, { body, idempotencyKey });
}

/** Returns the ids of these requisitions that list no insurance. */
export const loadWithoutInsurance = (ids: readonly number[]): Promise<number[]> =>
  api.get(`${ROOT}/without-insurance`, { query: { ids } });

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
    body: { comment, username } satisfies Wire<'CancelRequest'>,
    version: row.version,
    idempotencyKey,
  });

/** Finds a requisition by its own code or its order's. Returns null if there is none. */
export const findByCode = (
  code: string,
): Promise<{ requisitionId: number; orderId: number | null } | null> =>
  api.get(`${ROOT}/by-code`, { query: { code } });

/** Requisitions to receive. A collection time in the future is rejected unless it is accepted. */
export type ReceiveTarget = ({ ids: number[] } | { code: string }) & {
  acceptsFuture: boolean;
} & Partial<Pick<Wire<'ReceiveRequest'>, 'tubes' | 'collectionSite' | 'entryAlert'>>;

/** Marks specimens received, by ids or by one scanned code, which starts their orders. */
export const receiveRequisitions = (
  target: ReceiveTarget,
  idempotencyKey: string,
): Promise<Received[]> => api.post(`${ROOT}/receive`, { body: target, idempotencyKey });

/** Whether a reception was rejected because its collection time is in the future. */
export const isFutureCollection = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'collection_to_come';
