import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, firstPage, loadPage } from '../../api';
import type { Wire } from '../../contract';
import type { SaveContext } from '../../components/forms/useRecordForm';

export const LIST_PATH = '/api/v2/requisitions/remote-operations';

export type RequisitionRow = Wire<'RequisitionsRow'>;

export type CatalogTest = Wire<'TestShape'>;

/** A test of a requisition; panels carry their members. */
export type RequisitionTest = Wire<'RequisitionTestRead'>;

export type Diagnosis = Wire<'DiagnosisShape'>;

/** A diagnosis of the requisition; without a test it supports all of them. */
export type OrderedDiagnosis = Wire<'DiagnosisOfTest'>;

/** What ICD-10-CM says on a day. */
export type Validity = Wire<'DiagnosisValidity'>;

/** An insurance row to bill to, as it was when it was chosen. */
export type BilledRecord = Wire<'BillingInformation'>;

export type RequisitionPatient = Wire<'PatientOfRequisition'> &
  Partial<Pick<Wire<'PatientRead'>, 'diagnoses' | 'insuranceInformation'>> & {
    medications?: Pick<Wire<'Named'>, 'name'>[];
  };

export type Requisition = Wire<'RequisitionRead'>;

/** Who else gets the results: an address by EMAIL, a number by FAX. */
export type AdditionalCopy = Wire<'CopyShape'>;

/** What is sent to create or change a requisition. */
export type RequisitionWrite = Wire<'RequisitionWrite'>;

export type Signature = Wire<'SignatureRead'>;

/** A signature of the past or the present; in force while `removedAt` is null. */
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

/** Puts what the portal answered in place of what was read before. */
export function storeRequisition(queries: QueryClient, requisition: Requisition): void {
  queries.setQueryData(requisitionQuery(requisition.id).queryKey, requisition);
}

/** After a signature was given or taken back: what was read of it must not be shown again. */
export function refreshRequisition(queries: QueryClient, id: number): void {
  queries.removeQueries({ queryKey: signatureQuery(id).queryKey });
  void queries.invalidateQueries({ queryKey: requisitionQuery(id).queryKey });
}

const PREVIOUS = 'previous-requisitions';

/** The latest requisitions of a patient, newest first. */
export const previousRequisitionsQuery = (patientId: number, most: number) =>
  queryOptions({
    queryKey: [PREVIOUS, patientId, most],
    queryFn: async ({ signal }) => {
      const sort = [{ column: 'id', descending: true }];
      const request = { ...firstPage, pageSize: most, sort };
      const filters = { patient: patientId };
      return (await loadPage<RequisitionRow>(LIST_PATH, request, filters, signal)).data;
    },
    meta: { quiet: true },
  });

/** After one was saved: it may be among those of its patient. */
export function refreshPreviousRequisitions(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [PREVIOUS] });
}

/** Makes or changes a requisition; the draft of the form that was filled in goes with it. */
export function saveRequisition(
  id: number | null,
  body: RequisitionWrite,
  draftId: string,
  context: SaveContext,
): Promise<Requisition> {
  return api.post(id === null ? ROOT : `${ROOT}/${id}`, { body, query: { draftId }, ...context });
}

const SIGNATURE_HOLDS_MS = 60_000;

/** The signature in force. */
export const signatureQuery = (id: number) =>
  queryOptions({
    queryKey: ['requisitions', id, 'signature'],
    queryFn: ({ signal }) => api.get<Signature>(`${ROOT}/${id}/signature`, { signal }),
    staleTime: SIGNATURE_HOLDS_MS,
    meta: { quiet: true },
  });

/** Every signature there has been until this version, the newest first. */
export const signaturesQuery = ({ id, version }: Pick<Requisition, 'id' | 'version'>) =>
  queryOptions({
    queryKey: ['requisitions', id, 'signatures', version],
    queryFn: ({ signal }) => api.get<PastSignature[]>(`${ROOT}/${id}/signatures`, { signal }),
    meta: { quiet: true },
  });

/** Which of these diagnoses have ended on a day, and the release in use. */
export const validityQuery = (day: string | null, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['diagnosis-validity', day, [...ids].sort((a, b) => a - b)],
    queryFn: ({ signal }) =>
      api.get<Validity>('/api/v2/diagnoses/validity', { query: { date: day, id: ids }, signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  });

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
