import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { isTransient } from '../api';
import { limits } from '../contract';
import { toasts } from './toasts';

/**
 * The one query client of the portal. Query and mutation failures become toasts unless `meta.quiet`
 * says the screen shows them.
 */
export function createQueryClient(options: { retryDelayMs?: number } = {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.['quiet']) toasts.failure(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.['quiet']) toasts.failure(error);
      },
    }),
    defaultOptions: {
      // Without a network a call fails with words, and a write is never carried out later, when
      // nobody thinks of it any more; the desktop's own calls need no network at all.
      queries: {
        networkMode: 'always',
        retry: (count, error) => isTransient(error) && count < limits.READ_RETRIES,
        ...(options.retryDelayMs === undefined ? {} : { retryDelay: options.retryDelayMs }),
        refetchOnWindowFocus: false,
      },
      // A write is tried again by the person, with the same idempotency key.
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
