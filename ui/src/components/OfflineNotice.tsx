import { useQueryClient } from '@tanstack/react-query';

import { isTransient, useIsPortalLost, usePortalProblem } from '../api';
import { messages } from '../contract';
import { NoticeBar } from './NoticeBar';
import { usePortalReturn } from './usePortalReturn';

/**
 * Says that the portal cannot be reached, for as long as that lasts. When it is back, the screens
 * load what they could not load meanwhile.
 */
export function OfflineNotice() {
  const queries = useQueryClient();
  usePortalReturn(
    () =>
      void queries.refetchQueries({
        type: 'active',
        predicate: ({ state }) => isTransient(state.error),
      }),
  );
  const isLost = useIsPortalLost();
  const problem = usePortalProblem();
  const text = problem === null ? messages.PORTAL_LOST : `${problem} ${messages.PORTAL_LOST}`;
  return <NoticeBar>{isLost ? text : null}</NoticeBar>;
}
