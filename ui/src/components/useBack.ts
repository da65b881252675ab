import { useLocation, useNavigate } from 'react-router';

import { paths } from '../lib/paths';

/**
 * Whether no portal page precedes this one in the window's history. React Router's key identifies a
 * directly opened address until that address is replaced; then the history index does.
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
