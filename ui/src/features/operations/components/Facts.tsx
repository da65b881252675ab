import { Fragment, type ReactNode } from 'react';

import styles from './operations.module.css';

interface FactsProps {
  facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Labels and values of a panel. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A state that somebody should act on. */
export const Warning = ({ children }: { children: ReactNode }) => (
  <p role="alert" className={styles['warning']}>
    {children}
  </p>
);
