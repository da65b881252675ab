import { isAnswering } from '../api/connection';

const STORAGE_KEY = 'portal.reloaded';

/**
 * Reloads the page once if a new release has replaced a chunk that it needs. It does not while the
 * portal is unreachable, because that would lose the page, nor after a sign-out, because that would
 * lose its reason. @returns the function that removes the listener
 */
export function reloadOnStaleChunk(isSignedOut: () => boolean, reload: () => void): () => void {
  const handleError = () => {
    const { href } = location;
    if (isSignedOut() || sessionStorage.getItem(STORAGE_KEY) === href) return;
    void isAnswering().then((answers) => {
      if (!answers || isSignedOut()) return;
      sessionStorage.setItem(STORAGE_KEY, href);
      reload();
    });
  };
  window.addEventListener('vite:preloadError', handleError);
  return () => window.removeEventListener('vite:preloadError', handleError);
}
