import { useEffect, useRef } from 'react';

import { useIsPortalLost } from '../api';

/** Calls `handleReturn` when a portal that was lost is reachable again. */
export function usePortalReturn(handleReturn: () => void): void {
  const isLost = useIsPortalLost();
  const wasLost = useRef(isLost);
  useEffect(() => {
    if (wasLost.current && !isLost) handleReturn();
    wasLost.current = isLost;
  });
}
