import type { ReactNode } from 'react';

import { WarningSignIcon } from './icons';
import styles from './NoticeBar.module.css';

/** A warning across the page, shown as long as it is true. Shows nothing without children. */
export function NoticeBar({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  return (
    <div role="status" className={styles['place']}>
      {children ? (
        <div className={styles['bar']}>
          <WarningSignIcon />
          <span className={styles['text']}>{children}</span>
          {end}
        </div>
      ) : null}
    </div>
  );
}
