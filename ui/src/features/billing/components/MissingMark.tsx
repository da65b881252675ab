import { Button } from '@blueprintjs/core';

import { WarningSignIcon } from '../../../components/icons';
import { messages } from '../../../contract';
import styles from './billing.module.css';

interface MissingMarkProps {
  /** The row's name: 'insurance 1, AETNA'. */
  name: string;
  /** Opens the row for completing; undefined where it cannot be changed. */
  onComplete?: (() => void) | undefined;
}

/** Marks an insurance row that lacks data for a claim, and opens it (O 5). */
export function MissingMark({ name, onComplete }: MissingMarkProps) {
  if (onComplete === undefined) {
    return (
      <span className={styles['missing']}>
        <WarningSignIcon size={12} /> {messages.MISSING_INFORMATION}
      </span>
    );
  }
  return (
    <Button
      size="small"
      variant="minimal"
      intent="warning"
      icon={<WarningSignIcon size={12} />}
      aria-label={`${messages.MISSING_INFORMATION}: complete ${name}`}
      onClick={(event) => {
        event.stopPropagation(); // a click on the row selects it
        onComplete();
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {messages.MISSING_INFORMATION}
    </Button>
  );
}
