import { useLocation, useNavigate } from 'react-router';

import { paths } from '../lib/paths';

/** Leads back to the page before; the first page of a window has none, and leads to `start`. */
export function useBack(start: string = paths.home): () => void {
  const { key } = useLocation();
  const navigate = useNavigate();
  return () => void (key === 'default' ? navigate(start) : navigate(-1));
}
