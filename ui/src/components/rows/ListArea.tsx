import { useRef, type ReactNode } from 'react';

import { useLostFocus } from '../lostFocus';
import styles from './rows.module.css';

/** Where the keyboard continues, in this order. */
const NEXT_PLACES = [
  '[role="row"][aria-selected="true"]',
  '[role="row"][tabindex="0"]',
  'button:not(:disabled)',
];

/**
 * A list and its buttons. When a button is disabled or removed by its own act, the focus moves to
 * the selected row, or else to the row with the tab stop, or else to the first button.
 */
export function ListArea({ children }: { children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useLostFocus(area, false, () => {
    const places = NEXT_PLACES.map((place) => area.current?.querySelector<HTMLElement>(place));
    places.find(Boolean)?.focus();
  });
  return (
    <div ref={area} className={styles['area']}>
      {children}
    </div>
  );
}
