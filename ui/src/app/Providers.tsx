import { BlueprintProvider, HotkeysProvider } from '@blueprintjs/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { RouterProvider, type DataRouter } from 'react-router';

import {
  isTransient,
  SessionContext,
  type Capabilities,
  type Session,
  type SignedOutReason,
} from '../api';
import { forgetRecents } from '../components/recents/useRecents';
import { toasts } from '../components/toasts';
import { limits } from '../contract';
import { DeviceContext, type DeviceBridge } from '../device';
import { ThemeProvider } from './theme';

/** Query and mutation failures become toasts unless `meta.quiet` says the screen shows them. */
export function createQueryClient(): QueryClient {
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
        refetchOnWindowFocus: false,
      },
      // A write is tried again by the person, with the same idempotency key.
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** How a session ends by a sign-out; one that only expired goes on after the next sign-in. */
const SIGNED_OUT: readonly SignedOutReason[] = ['left', 'leftElsewhere', 'idle'];

/** What '?' opens. */
const KEYS = { title: 'Keyboard shortcuts' };

interface ProvidersProps {
  session: Session;
  capabilities: Capabilities;
  bridge: DeviceBridge;
  router: DataRouter;
}

export function Providers({ session, capabilities, bridge, router }: ProvidersProps) {
  const [client] = useState(createQueryClient);
  const value = useMemo(() => ({ session, capabilities }), [session, capabilities]);
  // What one person has loaded is never shown to the next.
  useEffect(
    () =>
      session.subscribe(() => {
        const state = session.state();
        if (state.status !== 'signedOut') return;
        client.clear();
        if (SIGNED_OUT.includes(state.reason)) forgetRecents(bridge.preferences);
      }),
    [bridge, client, session],
  );
  return (
    <SessionContext value={value}>
      <DeviceContext value={bridge}>
        <QueryClientProvider client={client}>
          <BlueprintProvider>
            <HotkeysProvider dialogProps={KEYS}>
              <ThemeProvider>
                <RouterProvider router={router} />
              </ThemeProvider>
            </HotkeysProvider>
          </BlueprintProvider>
        </QueryClientProvider>
      </DeviceContext>
    </SessionContext>
  );
}
