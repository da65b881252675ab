import { Button } from '@blueprintjs/core';
import { useEffect, useRef, type ReactNode } from 'react';

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
  const place = useRef<HTMLDivElement>(null);
  const removedAt = useRef(-1);
  const { length } = items;
  // The keyboard goes on at the one that took the removed one's place, or where the list was.
  useEffect(() => {
    if (removedAt.current < 0) return;
    const buttons = place.current?.querySelectorAll<HTMLElement>('button[data-removes]') ?? [];
    const next = buttons[Math.min(removedAt.current, buttons.length - 1)] ?? place.current;
    removedAt.current = -1;
    if (document.activeElement === document.body) next?.focus();
  }, [length]);
  return (
    <div ref={place} tabIndex={-1}>
      {length === 0 ? (
        <div className="quiet">{props.empty}</div>
      ) : (
        <ul aria-label={props.label} className={styles['list']}>
          {items.map((item, index) => (
            <li key={props.itemKey(item)}>
              <div className={styles['content']}>{props.render(item)}</div>
              {props.onRemove ? (
                <Button
                  variant="minimal"
                  size="small"
                  icon={<SmallCrossIcon />}
                  aria-label={`Remove ${props.itemName(item)}`}
                  data-removes
                  onClick={() => {
                    removedAt.current = index;
                    props.onRemove?.(item);
                  }}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
