import { Button } from '@blueprintjs/core';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import styles from './TestPicker.module.css';

export interface QuickChoice {
  key: number;
  text: string;
  /** The full name, for assistive technology and the tooltip. */
  name: string;
  /** Whether all its tests are already chosen. */
  isChosen: boolean;
  /** The key that adds it from anywhere in the form. */
  shortcut?: string | undefined;
  onChoose: () => void;
}

interface QuickChoicesProps {
  label: string;
  choices: readonly QuickChoice[];
  /** Shown after the choices. */
  children?: ReactNode;
}

/** Buttons that add frequent tests: one tab stop, arrow keys within (WAI-ARIA toolbar). */
export function QuickChoices({ label, choices, children }: QuickChoicesProps) {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const last = choices.length - 1;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: last }[
      event.key
    ];
    if (target === undefined || target < 0 || target > last) return;
    event.preventDefault();
    setCurrent(target);
    bar.current?.querySelectorAll<HTMLElement>('[data-choice]')[target]?.focus();
  };

  return (
    <div className={styles['quick']}>
      <span className={styles['quickLabel']}>{label}</span>
      <div
        ref={bar}
        role="toolbar"
        aria-label={label}
        className={styles['choices']}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {choices.map((choice, index) => (
          <Button
            key={choice.key}
            data-choice
            size="small"
            variant="outlined"
            tabIndex={index === Math.min(current, last) ? 0 : -1}
            aria-label={`Add ${choice.name}`}
            aria-disabled={choice.isChosen}
            aria-keyshortcuts={choice.shortcut}
            title={[choice.name, choice.shortcut].filter(Boolean).join('\n')}
            className={styles['choice']}
            onFocus={() => setCurrent(index)}
            onClick={() => {
              if (!choice.isChosen) choice.onChoose();
            }}
          >
            {choice.text}
          </Button>
        ))}
        {children}
      </div>
    </div>
  );
}
