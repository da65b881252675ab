import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, buildQuery } from '../../api';
import { readDataUrl } from '../../lib/files';
import type { Wire } from '../../contract';

/** A file of a requisition. */
export type RequisitionDocument = Wire<'FileRead'>;

const buildPath = (requisitionId: number) => `/api/v2/requisitions/${requisitionId}/documents`;

export const documentsQuery = (requisitionId: number) =>
  queryOptions({
    queryKey: ['requisition-documents', requisitionId],
    queryFn: ({ signal }) => api.get<RequisitionDocument[]>(buildPath(requisitionId), { signal }),
    meta: { quiet: true },
  });

/** Reloads the list after an upload or a removal. */
export function refreshDocuments(queries: QueryClient, requisitionId: number): void {
  void queries.invalidateQueries({ queryKey: documentsQuery(requisitionId).queryKey });
}

/** Adds an uploaded document to the cached list, if there is one. */
export function storeDocument(
  queries: QueryClient,
  requisitionId: number,
  newDocument: RequisitionDocument,
): void {
  queries.setQueryData(
    documentsQuery(requisitionId).queryKey,
    (list) => list && [...list.filter(({ id }) => id !== newDocument.id), newDocument],
  );
}

export async function uploadDocument(
  requisitionId: number,
  file: File,
  idempotencyKey: string,
): Promise<RequisitionDocument> {
  const [, content = ''] = (await readDataUrl(file)).split(',');
  const body = { id: requisitionId, content, fileName: file.name } satisfies Partial<
    Wire<'FileUpload'>
  >;
  return api.post(buildPath(requisitionId), { body, idempotencyKey });
}

export const removeDocument = (
  requisitionId: number,
  documentId: number,
  idempotencyKey: string,
): Promise<undefined> =>
  api.delete(`${buildPath(requisitionId)}/${documentId}`, { idempotencyKey });

/**
 * Returns a document for viewing or download. Its name comes from the lab and contains no patient
 * data.
 */
export const toPortalDocument = (requisitionId: number, { name }: RequisitionDocument) => ({
  path: `${buildPath(requisitionId)}/download${buildQuery({ name })}`,
  name,
});
