import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { isTransient } from '../api';
import { limits } from '../contract';
import { showFailure } from './showFailure';

/**
 * Creates the portal's query client. Failed queries and mutations become toasts, unless
 * `meta.quiet` says that the screen shows them.
 */
export function createQueryClient(options: { retryDelayMs?: number } = {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.['quiet']) showFailure(error, { isExplained: true });
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.['quiet']) showFailure(error, { isExplained: true });
      },
    }),
    defaultOptions: {
      // Without a network, a call fails at once with a message. A write must not run later, when
      // nobody expects it, and calls to the desktop's own API need no network.
      queries: {
        networkMode: 'always',
        retry: (count, error) => isTransient(error) && count < limits.READ_RETRIES,
        ...(options.retryDelayMs === undefined ? {} : { retryDelay: options.retryDelayMs }),
        refetchOnWindowFocus: false,
      },
      // The user repeats a failed write, with the same idempotency key. A completed write is removed
      // with its screen, which it would otherwise keep in memory for five minutes.
      mutations: { networkMode: 'always', retry: false, gcTime: 0 },
    },
  });
}
