import { useLocation, useNavigate } from 'react-router';

import { paths } from '../lib/paths';

/**
 * Whether nothing of the portal lies behind this page. React Router's key tells it of an address
 * that was opened directly, until that address is replaced; the place in the history tells it then.
 */
export function useIsFirstPage(): boolean {
  const { key } = useLocation();
  const place = (window.history.state as { idx?: number } | null)?.idx;
  return key === 'default' || place === 0;
}

/** Leads back to the page before; the first page of a window has none, and leads to `start`. */
export function useBack(start: string = paths.home): () => void {
  const isFirst = useIsFirstPage();
  const navigate = useNavigate();
  return () => void (isFirst ? navigate(start) : navigate(-1));
}
