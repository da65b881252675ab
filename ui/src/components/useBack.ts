import { useLocation, useNavigate } from 'react-router';

import { paths } from '../lib/paths';

/**
 * Whether this is the first page of the portal in the window's history. React Router's key is
 * 'default' for a directly opened address. Once that address is replaced, the history index is 0.
 */
export function useIsFirstPage(): boolean {
  const { key } = useLocation();
  const index = (window.history.state as { idx?: number } | null)?.idx;
  return key === 'default' || index === 0;
}

/** Returns a function that goes back to the previous page, or to `start` from the first page. */
export function useBack(start: string = paths.home): () => void {
  const isFirst = useIsFirstPage();
  const navigate = useNavigate();
  return () => void (isFirst ? navigate(start) : navigate(-1));
}
