import { useId, type ReactNode } from 'react';

import styles from './Panel.module.css';

interface PanelProps {
  title: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A titled part of a form. */
export function Panel({ title, aside, className, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${styles['panel']} ${className ?? ''}`}>
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      <div className={styles['body']}>{children}</div>
    </section>
  );
}
