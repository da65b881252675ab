import { Callout } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import styles from './CriticalNotice.module.css';
import results from './results.module.css';

/** The frame of a notice about critical results, on the order's page and in result entry. */
export const CriticalFrame = ({ children }: { children: ReactNode }) => (
  <Callout
    className={results['notice']}
    intent="danger"
    compact
    role="region"
    aria-label="Critical results"
  >
    <div className={styles['notice']}>{children}</div>
  </Callout>
);
