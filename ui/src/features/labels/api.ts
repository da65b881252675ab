import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, buildQuery } from '../../api';
import type { Wire } from '../../contract';
import type { DeviceBridge, PortalDocument, Printer } from '../../device';

export type PrintedLabel = Wire<'LabelRead'>;
export type LabelPrint = Wire<'LabelPrintRead'>;
type Stock = Pick<Wire<'LabelPrintRequest'>, 'dpi' | 'size'>;

const DENSITIES = ['203', '300', '600'] as const;

/** The density and label size to draw for; a browser gets the standard. */
export function getStock(printer: Printer | undefined): Stock {
  const dpi = DENSITIES.find((density) => Number(density) >= (printer?.dpi ?? 203)) ?? '600';
  return { dpi, size: (printer?.size ?? '2x1') as Stock['size'] };
}

/**
 * The labels of some requisitions for a preview, in the order of `ids`, or those of an order's
 * specimens (R 7).
 */
export const labelsQuery = (ids: readonly number[], orderId: number | null, stock: Stock) =>
  queryOptions({
    queryKey: ['labels', ids, orderId, stock],
    queryFn: ({ signal }) =>
      orderId === null
        ? api.get<PrintedLabel[]>('/api/v2/requisitions/labels', {
            query: { ids, ...stock },
            signal,
          })
        : api.get<PrintedLabel[]>(`/api/labels/orders/${orderId}`, { query: stock, signal }),
    // The answer is not cached, because the requisition may have other tests the next time.
    gcTime: 0,
    meta: { quiet: true },
  });

/** Who printed the labels of a requisition, where and when; newest first. */
export const labelPrintsQuery = (id: number) =>
  queryOptions({
    queryKey: ['labels', 'prints', id],
    queryFn: ({ signal }) =>
      api.get<LabelPrint[]>(`/api/v2/requisitions/${id}/label-prints`, { signal }),
    gcTime: 0,
    meta: { quiet: true },
  });

/** Records that labels are printed now, and returns them as the printer needs them. */
export function startLabelPrint(
  request: Wire<'LabelPrintRequest'>,
): Promise<Wire<'LabelPrintStarted'>> {
  return api.post<Wire<'LabelPrintStarted'>>('/api/v2/requisitions/label-prints', {
    body: request,
  });
}

/** The printers of this workstation. */
export const printersQuery = (device: Pick<DeviceBridge, 'listPrinters'>) =>
  queryOptions({
    queryKey: ['device', 'printers'],
    queryFn: () => device.listPrinters(),
    meta: { quiet: true },
  });

const STATUS_MS = 5_000;

/** What a printer says about itself, asked every five seconds. */
export const printerStatusQuery = (device: Pick<DeviceBridge, 'readPrinterStatus'>, id: string) =>
  queryOptions({
    queryKey: ['device', 'printers', id, 'status'],
    queryFn: () => device.readPrinterStatus(id),
    refetchInterval: STATUS_MS,
    retry: false,
    meta: { quiet: true },
  });

/** The printers that answer on the network, asked once. */
export const networkSearchQuery = (device: Pick<DeviceBridge, 'searchPrinters'>) =>
  queryOptions({
    queryKey: ['device', 'search'],
    queryFn: () => device.searchPrinters(),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });

/** Reloads the printers after a change. */
export const reloadPrinters = (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['device', 'printers'] });

/** The same labels as a PDF, one per page. */
export const buildLabelsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/labels${buildQuery({ ids })}`,
  name: 'labels.pdf',
});
