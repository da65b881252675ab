import { isAnswering } from '../api/connection';

const STORAGE_KEY = 'portal.reloaded';

/**
 * Reloads the page once if a new release has replaced a chunk that it needs. While the portal does
 * not answer, a reload would only lose the page; and after a sign-out, its reason.
 * @returns the function that removes the listener
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
