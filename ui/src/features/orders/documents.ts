import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, buildQuery } from '../../api';
import type { Wire } from '../../contract';
import { readDataUrl } from '../../lib/files';
import { buildOrderPath, orderQuery } from './api';

/** A file of an order. */
export type OrderDocument = Wire<'OrderDocumentRead'>;

const buildPath = (orderId: number) => `${buildOrderPath(orderId)}/documents`;

export const orderDocumentsQuery = (orderId: number) =>
  queryOptions({
    queryKey: [...orderQuery(orderId).queryKey, 'documents'],
    queryFn: ({ signal }) => api.get<OrderDocument[]>(buildPath(orderId), { signal }),
    meta: { quiet: true },
  });

/** Reloads the list after an upload or a removal. */
export function refreshOrderDocuments(queries: QueryClient, orderId: number): void {
  void queries.invalidateQueries({ queryKey: orderDocumentsQuery(orderId).queryKey });
}

export async function uploadOrderDocument(
  orderId: number,
  file: File,
  idempotencyKey: string,
): Promise<OrderDocument> {
  const [, fileBase64 = ''] = (await readDataUrl(file)).split(',');
  const body = { fileBase64, fileName: file.name } satisfies Partial<Wire<'FileUpload'>>;
  return api.post(buildPath(orderId), { body, idempotencyKey });
}

export const removeOrderDocument = (
  orderId: number,
  documentId: number,
  idempotencyKey: string,
): Promise<undefined> => api.delete(`${buildPath(orderId)}/${documentId}`, { idempotencyKey });

/** Returns a document for viewing or download. */
export const toOrderPortalDocument = (orderId: number, { name }: OrderDocument) => ({
  path: `${buildPath(orderId)}/download${buildQuery({ name })}`,
  name,
});
