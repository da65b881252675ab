import { useIsPortalLost } from '../api';
import { messages } from '../contract';
import { WarningSignIcon } from './icons';
import styles from './OfflineNotice.module.css';

/** Says that the portal cannot be reached, for as long as that lasts. */
export function OfflineNotice() {
  const isLost = useIsPortalLost();
  return (
    <div role="status" className={styles['notice']}>
      {isLost ? (
        <div className={styles['bar']}>
          <WarningSignIcon />
          {messages.PORTAL_LOST}
        </div>
      ) : null}
    </div>
  );
}
