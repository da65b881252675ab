import { Icons } from '@blueprintjs/icons/lib/esm/iconLoader';
import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';

import { loadCapabilities, Session, type Capabilities } from '../api';
import { chooseBridge } from '../device';
import { Providers } from './Providers';
import { createPortalRouter } from './router';
import { StartFailed } from './StartFailed';

/** A new release has replaced the chunk this page asks for: load the page again, once. */
function reloadOnStaleChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const key = 'portal.reloaded';
    if (sessionStorage.getItem(key) === location.href) return;
    sessionStorage.setItem(key, location.href);
    event.preventDefault();
    location.reload();
  });
}

/** Asks the host what it can do, resumes the session, and draws the portal. */
export async function start(root: Root): Promise<void> {
  // Icons are passed as components; nothing may load Blueprint's whole set by name.
  Icons.setLoaderOptions({ loader: () => Promise.resolve([]) });
  reloadOnStaleChunk();
  // Comes while the host is asked: most pages are opened by somebody who is signed in.
  import('./shell/Shell').catch(() => undefined);

  let capabilities: Capabilities;
  try {
    capabilities = await loadCapabilities();
  } catch {
    root.render(<StartFailed onRetry={() => void start(root)} />);
    return;
  }

  const router = createPortalRouter();
  const session = new Session();
  const bridge = await chooseBridge(capabilities, (path) => void router.navigate(path));
  await session.start();
  root.render(
    <StrictMode>
      <Providers session={session} capabilities={capabilities} bridge={bridge} router={router} />
    </StrictMode>,
  );
}
