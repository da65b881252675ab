import type { ReactNode } from 'react';

import styles from './connection.module.css';

/** A page shown before the portal answers: a card with the app's name. */
export const ConnectionPage = ({ children }: { children: ReactNode }) => (
  <main className={styles['page']}>
    <div className={styles['card']}>
      <div className={styles['brand']}>
        <img src="/favicon.svg" alt="" height={32} />
        Lab Portal
      </div>
      {children}
    </div>
  </main>
);
