import { Button } from '@blueprintjs/core';
import { useEffect, useRef, type ReactNode } from 'react';

import styles from './ChosenList.module.css';
import { SmallCrossIcon } from './icons';

interface ChosenListProps<Item> {
  label: string;
  items: readonly Item[];
  getItemKey: (item: Item) => string | number;
  /** The item's name in the label of its remove button. */
  getItemName: (item: Item) => string;
  render: (item: Item) => ReactNode;
  /** Omitted while the list cannot be changed. */
  onRemove?: ((item: Item) => void) | undefined;
  /** Whether this item can be removed; by default all can. */
  isRemovable?: (item: Item) => boolean;
  empty: string;
}

/** Items chosen one by one: diagnoses, tests, medications. */
export function ChosenList<Item>({ items, ...props }: ChosenListProps<Item>) {
  const container = useRef<HTMLDivElement>(null);
  const removedAt = useRef(-1);
  const { length } = items;
  // Move the focus to the item that took the removed item's place, or to the list.
  useEffect(() => {
    if (removedAt.current < 0) return;
    const buttons = container.current?.querySelectorAll<HTMLElement>('button[data-removes]') ?? [];
    const next = buttons[Math.min(removedAt.current, buttons.length - 1)] ?? container.current;
    removedAt.current = -1;
    if (document.activeElement === document.body) next?.focus();
  }, [length]);
  return (
    <div ref={container} tabIndex={-1} data-focus-home>
      {length === 0 ? (
        <div className="quiet">{props.empty}</div>
      ) : (
        <ul aria-label={props.label} className={styles['list']}>
          {items.map((item, index) => (
            <li key={props.getItemKey(item)}>
              <div className={styles['content']}>{props.render(item)}</div>
              {props.onRemove && props.isRemovable?.(item) !== false ? (
                <Button
                  variant="minimal"
                  size="small"
                  icon={<SmallCrossIcon />}
                  aria-label={`Remove ${props.getItemName(item)}`}
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
