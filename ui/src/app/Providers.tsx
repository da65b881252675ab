import { BlueprintProvider, HotkeysProvider } from '@blueprintjs/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { RouterProvider, type DataRouter } from 'react-router';

import { SessionContext, type Capabilities, type Session, type SignedOutReason } from '../api';
import { forgetRecents } from '../components/recents/useRecents';
import { createQueryClient } from '../components/queryClient';
import { DeviceContext, type DeviceBridge } from '../device';
import { ThemeProvider } from './theme';

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
  const [queries] = useState(createQueryClient);
  const value = useMemo(() => ({ session, capabilities }), [session, capabilities]);
  // What one person has loaded is never shown to the next.
  useEffect(
    () =>
      session.subscribe(() => {
        const state = session.state();
        if (state.status !== 'signedOut') return;
        queries.clear();
        if (SIGNED_OUT.includes(state.reason)) forgetRecents(bridge.preferences);
      }),
    [bridge, queries, session],
  );
  return (
    <SessionContext value={value}>
      <DeviceContext value={bridge}>
        <QueryClientProvider client={queries}>
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
