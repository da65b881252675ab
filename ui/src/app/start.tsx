import { Icons } from '@blueprintjs/icons/lib/esm/iconLoader';
import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';

import { loadCapabilities, Session, type Capabilities } from '../api';
import { createBridge } from '../device';
import { Providers } from './Providers';
import { paths } from '../lib/paths';
import { disableContextMenu } from './contextMenu';
import { loadEastAsianOnDemand } from './eastAsian/load';
import { parseMatrix } from '../lib/matrix';
import { createPortalRouter } from './router';
import { screens } from './screens';
import { reloadOnStaleChunk } from './staleChunk';
import { StartFailed } from './StartFailed';

/**
 * Loads the shell and then a screen, without waiting for the session. Where loading fails, the
 * router tries again and shows the failure.
 */
function preloadScreen(path: string): void {
  const load = async () => {
    await import('./shell/Shell');
    await screens.find((screen) => screen.path === path)?.Screen.load();
  };
  load().catch(() => undefined);
}

/** Loads the host's capabilities, resumes the session and renders the portal. */
export async function start(root: Root): Promise<void> {
  // Icons are passed as components; Blueprint's whole set must never be loaded by name.
  Icons.setLoaderOptions({ loader: () => Promise.resolve([]) });
  loadEastAsianOnDemand();
  disableContextMenu();

  let capabilities: Capabilities;
  try {
    capabilities = await loadCapabilities();
  } catch {
    root.render(<StartFailed onRetry={() => void start(root)} />);
    return;
  }

  if (capabilities.host === 'desktop' && capabilities.canOpenWindows) {
    const { attachToWindow } = await import('./appWindow');
    attachToWindow();
  }
  if (capabilities.portal?.cause != null) {
    const { showPortalUnreachable } = await import('./connection/showPortalUnreachable');
    capabilities = await showPortalUnreachable(root, capabilities);
  }

  const router = createPortalRouter();
  const session = new Session();
  reloadOnStaleChunk(
    () => session.getState().status === 'signedOut',
    () => location.reload(),
  );
  // The desktop app has its own releases.
  if (capabilities.host === 'server' && 'serviceWorker' in navigator) {
    const { serviceWorker } = navigator;
    void import('./installedApp').then(
      ({ followNewVersions }) =>
        followNewVersions({ workers: serviceWorker, reload: () => location.reload() }),
      () => undefined,
    );
  }
  const bridge = await createBridge(capabilities, (path) => void router.navigate(path));
  // Most pages are opened by signed-in users, who need the screen as soon as the session has
  // started.
  const isSignIn = location.pathname === paths.login;
  if (!isSignIn) preloadScreen(parseMatrix(location.pathname, location.search).path);
  const resume = async (): Promise<void> => {
    try {
      await session.start();
    } catch {
      root.render(<StartFailed onRetry={() => void resume()} />);
      return;
    }
    root.render(
      <StrictMode>
        <Providers session={session} capabilities={capabilities} bridge={bridge} router={router} />
      </StrictMode>,
    );
    if (isSignIn) preloadScreen(paths.home);
  };
  await resume();
}
