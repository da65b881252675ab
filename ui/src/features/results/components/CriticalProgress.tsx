import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import type { CriticalRow } from '../../criticalResults/api';
import { CriticalResultDialog } from '../../criticalResults/components/CriticalResultDialog';
import { ProgressTag } from '../../criticalResults/components/criticalColumns';
import styles from './CriticalNotice.module.css';

/** The progress of a notice of critical results, and a button that shows its calls. */
export function CriticalProgress({ notice }: { notice: CriticalRow }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['progress']}>
      <ProgressTag row={notice} />
      <Button size="small" text="Show Calls" onClick={() => setIsOpen(true)} />
      {isOpen ? <CriticalResultDialog id={notice.id} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}
