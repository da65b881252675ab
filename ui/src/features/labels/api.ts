import { api, buildQuery } from '../../api';
import type { Label, PortalDocument } from '../../device';

/** The labels of some requisitions, in their order. */
export const loadLabels = (ids: readonly number[], signal?: AbortSignal): Promise<Label[]> =>
  api.get('/api/v2/requisitions/labels', { query: { ids }, signal });

/** The same labels as a PDF, a page each. */
export const labelsDocument = (ids: readonly number[]): PortalDocument => ({
  path: `/api/v2/reports/labels${buildQuery({ ids })}`,
  name: 'labels.pdf',
});
