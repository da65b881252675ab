import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';

/** How many records wait for the user, and the search that finds exactly these. */
export type WaitingCount = Wire<'WaitingCount'>;

export const waitingQuery = queryOptions({
  queryKey: ['waiting'],
  queryFn: ({ signal }) => api.get<WaitingCount[]>('/api/v2/waiting', { signal }),
  meta: { quiet: true },
});
