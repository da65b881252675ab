import { queryOptions } from '@tanstack/react-query';

import { api, buildQuery } from '../../api';
import type { DeviceBridge, Label, PortalDocument } from '../../device';

/** The labels of some requisitions, in the same order. */
export const labelsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['labels', ids],
    queryFn: ({ signal }) =>
      api.get<Label[]>('/api/v2/requisitions/labels', { query: { ids }, signal }),
    // Never cached: the requisition may have other tests by the next time.
    gcTime: 0,
    meta: { quiet: true },
  });

/** The printers of this workstation. */
export const printersQuery = (device: Pick<DeviceBridge, 'listPrinters'>) =>
  queryOptions({
    queryKey: ['device', 'printers'],
    queryFn: () => device.listPrinters(),
    meta: { quiet: true },
  });

/** The same labels as a PDF, one per page. */
export const buildLabelsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/labels${buildQuery({ ids })}`,
  name: 'labels.pdf',
});
