import { useCallback, useEffect, useRef } from 'react';

import { limits } from '../contract';

/** Returns a function that calls `reload` once for all calls within a short time. */
export function useReloadSoon(reload: () => unknown): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      reload();
    }, limits.LIVE_COUNTS_MS);
  }, [reload]);
}
