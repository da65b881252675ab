import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { ReasonKind, Wire } from '../../contract';

/** The lab's reasons of a kind, in its order. */
export const reasonsQuery = (kind: ReasonKind) =>
  queryOptions({
    queryKey: ['reasons', kind],
    queryFn: ({ signal }) =>
      api.get<Wire<'ReasonShape'>[]>('/api/v2/reasons', { query: { kind }, signal }),
    staleTime: Infinity,
  });
