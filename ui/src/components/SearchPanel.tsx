import { Button } from '@blueprintjs/core';
import { useId, useRef, useState, type ReactNode } from 'react';

import { FilterIcon, SearchIcon } from './icons';
import styles from './SearchPanel.module.css';
import { useScreen } from './useMedia';

interface SearchPanelProps {
  /** What is searched, for assistive technology: 'Requisition search'. */
  label: string;
  invalid: boolean;
  /** Answers whether the values can be searched for. */
  onSubmit: () => boolean;
  clearLabel: string;
  onClear: () => void;
  children: ReactNode;
}

/** The fields above a grid with Search and a button that clears them; folded away on phones. */
export function SearchPanel({ label, invalid, onSubmit, onClear, ...props }: SearchPanelProps) {
  const phone = useScreen() === 'phone';
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const fold = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      {phone ? (
        <Button
          ref={opener}
          icon={<FilterIcon />}
          fill
          aria-expanded={open}
          aria-controls={open ? formId : undefined}
          onClick={() => setOpen(!open)}
        >
          Filters
        </Button>
      ) : null}
      {phone && !open ? null : (
        // Escape belongs to the whole panel, whichever of its fields has the focus.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <form
          id={formId}
          className={styles['panel']}
          aria-label={label}
          noValidate
          onKeyDown={(event) => {
            if (phone && event.key === 'Escape' && !event.defaultPrevented) fold();
          }}
          onSubmit={(event) => {
            event.preventDefault();
            if (!invalid && onSubmit() && phone) fold();
          }}
        >
          {props.children}
          <div className={styles['buttons']}>
            <Button type="submit" intent="primary" icon={<SearchIcon />} disabled={invalid}>
              Search
            </Button>
            <Button onClick={onClear}>{props.clearLabel}</Button>
          </div>
        </form>
      )}
    </>
  );
}
