import { BlueprintProvider } from '@blueprintjs/core';
import type { Root } from 'react-dom/client';

import type { Capabilities } from '../../api';
import { createBridge, DeviceContext } from '../../device';
import { ThemeProvider } from '../theme';
import { PortalUnreachable } from './PortalUnreachable';

/**
 * Shows why the portal cannot be reached. When it answers, resolves with the host's capabilities.
 */
export async function showPortalUnreachable(
  root: Root,
  { portal, ...capabilities }: Capabilities,
): Promise<Capabilities> {
  if (portal === undefined) return capabilities;
  const bridge = await createBridge(capabilities, () => undefined);
  return new Promise((resolve) => {
    root.render(
      <DeviceContext value={bridge}>
        <BlueprintProvider>
          <ThemeProvider>
            <PortalUnreachable connection={portal} onBack={resolve} />
          </ThemeProvider>
        </BlueprintProvider>
      </DeviceContext>,
    );
  });
}
