import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import styles from './ChosenList.module.css';
import { SmallCrossIcon } from './icons';

interface ChosenListProps<Item> {
  label: string;
  items: readonly Item[];
  itemKey: (item: Item) => string | number;
  /** What the remove button calls the item. */
  itemName: (item: Item) => string;
  render: (item: Item) => ReactNode;
  /** Absent while the list can not be changed. */
  onRemove?: ((item: Item) => void) | undefined;
  empty: string;
}

/** Things picked one by one: diagnoses, tests, medications. */
export function ChosenList<Item>({ items, ...props }: ChosenListProps<Item>) {
  if (items.length === 0) return <div className="quiet">{props.empty}</div>;
  return (
    <ul aria-label={props.label} className={styles['list']}>
      {items.map((item) => (
        <li key={props.itemKey(item)}>
          <div className={styles['content']}>{props.render(item)}</div>
          {props.onRemove ? (
            <Button
              variant="minimal"
              size="small"
              icon={<SmallCrossIcon />}
              aria-label={`Remove ${props.itemName(item)}`}
              onClick={() => props.onRemove?.(item)}
            />
          ) : null}
        </li>
      ))}
    </ul>
  );
}
