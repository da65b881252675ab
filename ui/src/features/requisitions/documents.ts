import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, buildQuery } from '../../api';
import { readDataUrl } from '../../lib/files';
import { limits, messages, type Wire } from '../../contract';

/** A file of a requisition. */
export type RequisitionDocument = Wire<'FileRead'>;

/** What the portal takes, by content; the chooser goes by the ending. */
export const DOCUMENT_KINDS = '.pdf,.png,.jpg,.jpeg,.tif,.tiff';

const pathOf = (requisitionId: number) => `/api/v2/requisitions/${requisitionId}/documents`;

export const documentsQuery = (requisitionId: number) =>
  queryOptions({
    queryKey: ['requisition-documents', requisitionId],
    queryFn: ({ signal }) => api.get<RequisitionDocument[]>(pathOf(requisitionId), { signal }),
    meta: { quiet: true },
  });

/** After one was uploaded or removed. */
export function refreshDocuments(queries: QueryClient, requisitionId: number): void {
  void queries.invalidateQueries({ queryKey: documentsQuery(requisitionId).queryKey });
}

/** Why a file is not even sent; null when it may be. */
export function refuseDocument(file: File): string | null {
  if (file.size === 0) return messages.FILE_EMPTY;
  return file.size > limits.UPLOAD_MAX_BYTES ? messages.FILE_TOO_BIG : null;
}

export async function uploadDocument(
  requisitionId: number,
  file: File,
  idempotencyKey: string,
): Promise<RequisitionDocument> {
  const [, content = ''] = (await readDataUrl(file)).split(',');
  const body = { id: requisitionId, content, fileName: file.name };
  return api.post(pathOf(requisitionId), { body, idempotencyKey });
}

export const removeDocument = (
  requisitionId: number,
  documentId: number,
  idempotencyKey: string,
): Promise<undefined> => api.delete(`${pathOf(requisitionId)}/${documentId}`, { idempotencyKey });

/** The file itself, for a viewer or the downloads; its name is the lab's, not a person's. */
export const documentFile = (requisitionId: number, { name }: RequisitionDocument) => ({
  path: `${pathOf(requisitionId)}/download${buildQuery({ name })}`,
  name,
});
