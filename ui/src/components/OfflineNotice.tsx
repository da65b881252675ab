import { useIsPortalLost, usePortalProblem } from '../api';
import { messages } from '../contract';
import { NoticeBar } from './NoticeBar';

/** Says that the portal cannot be reached, for as long as that lasts. */
export function OfflineNotice() {
  const isLost = useIsPortalLost();
  const problem = usePortalProblem();
  const text = problem === null ? messages.PORTAL_LOST : `${problem} ${messages.PORTAL_LOST}`;
  return <NoticeBar>{isLost ? text : null}</NoticeBar>;
}
