import { BlueprintProvider, HotkeysProvider } from '@blueprintjs/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { RouterProvider, type DataRouter } from 'react-router';

import { SessionContext, type Capabilities, type Session, type SignedOutReason } from '../api';
import { clearRecents } from '../components/recents/useRecents';
import { createQueryClient } from '../components/queryClient';
import { DeviceContext, type DeviceBridge } from '../device';
import { ThemeProvider } from './theme';

/**
 * The reasons that end a session permanently; after an expiry it continues with the next sign-in.
 */
const SIGN_OUT_REASONS: readonly SignedOutReason[] = ['left', 'leftElsewhere', 'idle'];

/** The dialog that '?' opens. */
const HOTKEYS_DIALOG = { title: 'Keyboard shortcuts' };

interface ProvidersProps {
  session: Session;
  capabilities: Capabilities;
  bridge: DeviceBridge;
  router: DataRouter;
}

export function Providers({ session, capabilities, bridge, router }: ProvidersProps) {
  const [queries] = useState(createQueryClient);
  const value = useMemo(() => ({ session, capabilities }), [session, capabilities]);
  // Data loaded for one user must never be shown to the next.
  useEffect(
    () =>
      session.subscribe(() => {
        const state = session.getState();
        if (state.status !== 'signedOut') return;
        queries.clear();
        if (SIGN_OUT_REASONS.includes(state.reason)) clearRecents(bridge.preferences);
      }),
    [bridge, queries, session],
  );
  return (
    <SessionContext value={value}>
      <DeviceContext value={bridge}>
        <QueryClientProvider client={queries}>
          <BlueprintProvider>
            <HotkeysProvider dialogProps={HOTKEYS_DIALOG}>
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
