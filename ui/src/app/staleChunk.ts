import { isAnswering } from '../api/connection';

const STORAGE_KEY = 'portal.reloaded';

/**
 * Reloads the page once if a new release has replaced a chunk that it needs. It does nothing while
 * the portal is unreachable, because a reload would lose the page, and nothing after a sign-out,
 * because a reload would lose the reason of the sign-out. Returns the function that removes the
 * listener.
 */
export function reloadOnStaleChunk(isSignedOut: () => boolean, reload: () => void): () => void {
  const handleError = () => {
    const { href } = location;
    if (isSignedOut() || sessionStorage.getItem(STORAGE_KEY) === href) return;
    void isAnswering().then((isReachable) => {
      if (!isReachable || isSignedOut()) return;
      sessionStorage.setItem(STORAGE_KEY, href);
      reload();
    });
  };
  window.addEventListener('vite:preloadError', handleError);
  return () => window.removeEventListener('vite:preloadError', handleError);
}
