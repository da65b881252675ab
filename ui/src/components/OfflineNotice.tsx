import { useIsPortalLost } from '../api';
import { messages } from '../contract';
import { NoticeBar } from './NoticeBar';

/** Says that the portal cannot be reached, for as long as that lasts. */
export function OfflineNotice() {
  const isLost = useIsPortalLost();
  return <NoticeBar>{isLost ? messages.PORTAL_LOST : null}</NoticeBar>;
}
