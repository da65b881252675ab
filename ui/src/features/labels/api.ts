import { queryOptions } from '@tanstack/react-query';

import { api, buildQuery } from '../../api';
import type { DeviceBridge, Label, PortalDocument } from '../../device';

/** The labels of some requisitions, in their order. */
export const labelsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['labels', ids],
    queryFn: ({ signal }) =>
      api.get<Label[]>('/api/v2/requisitions/labels', { query: { ids }, signal }),
    // What was read for an earlier opening may be of other tests by now.
    gcTime: 0,
    meta: { quiet: true },
  });

/** The printers of this workstation. */
export const printersQuery = (device: Pick<DeviceBridge, 'printers'>) =>
  queryOptions({
    queryKey: ['device', 'printers'],
    queryFn: () => device.printers(),
    meta: { quiet: true },
  });

/** The same labels as a PDF, a page each. */
export const labelsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/labels${buildQuery({ ids })}`,
  name: 'labels.pdf',
});
