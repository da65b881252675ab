import { Button } from '@blueprintjs/core';

import { CrossIcon } from '../icons';
import { ActionButton, type PageAction } from '../PageToolbar';
import styles from './grid.module.css';

interface SelectionBarProps {
  /** What the rows are: 'Requisitions'. */
  label: string;
  count: number;
  actions: readonly PageAction[];
  onClear: (event: React.MouseEvent) => void;
}

/** The number of selected rows and what can be done with them. */
export function SelectionBar({ label, count, actions, onClear }: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label={`Selected ${label.toLowerCase()}`}
      className={styles['selection']}
    >
      <span className={styles['selectedCount']}>{count} selected</span>
      {actions
        .filter((action) => !action.hidden)
        .map((action) => (
          <ActionButton key={action.label} action={action} />
        ))}
      <Button
        variant="minimal"
        icon={<CrossIcon />}
        aria-label="Clear selection"
        onClick={onClear}
      />
    </div>
  );
}
