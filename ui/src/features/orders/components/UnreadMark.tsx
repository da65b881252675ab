import { useProfile } from '../../../api';
import { isUnreadBy } from '../acknowledging';
import type { OrderRow } from '../api';
import styles from './orders.module.css';

/** A value of an order, in bold and with a dot while the user has not acknowledged its results. */
export function UnreadMark({ row, children }: { row: OrderRow; children: string }) {
  const user = useProfile();
  if (!isUnreadBy(user, row)) return children;
  return (
    <span className={styles['unread']}>
      {children}
      <span className="visually-hidden"> (unread)</span>
    </span>
  );
}
