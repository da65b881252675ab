import { Button } from '@blueprintjs/core';
import { useId, useRef, useState, type ReactNode } from 'react';

import { FilterIcon, SearchIcon } from './icons';
import styles from './SearchPanel.module.css';
import { useIsLow, useScreen } from './useMedia';

interface SearchPanelProps {
  /** What is searched, for assistive technology: 'Requisition search'. */
  label: string;
  invalid: boolean;
  /** Starts the search. Returns false if a value is invalid. */
  onSubmit: () => boolean;
  /** Whether the filters have changed since the rows were loaded, which highlights Search. */
  isOutdated?: boolean;
  clearLabel: string;
  onClear: () => void;
  /** The number of filters that are set, shown while they are collapsed. */
  filterCount?: number;
  /** Whether the filters are fields with labels instead of chips. */
  hasFields?: boolean;
  children: ReactNode;
}

/** The filters above a grid with Search and clear buttons; collapsible on phones and in low windows. */
export function SearchPanel({ label, invalid, onSubmit, onClear, ...props }: SearchPanelProps) {
  const { filterCount = 0 } = props;
  const isLow = useIsLow();
  const isCollapsible = useScreen() === 'phone' || isLow;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const collapse = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      {isCollapsible ? (
        <Button
          ref={opener}
          icon={<FilterIcon />}
          fill
          className={styles['opener'] ?? ''}
          aria-expanded={isOpen}
          aria-controls={isOpen ? formId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {filterCount > 0 ? `Filters · ${filterCount}` : 'Filters'}
        </Button>
      ) : null}
      {isCollapsible && !isOpen ? null : (
        // Escape works on the whole panel, whichever field has the focus.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <form
          id={formId}
          className={styles['panel']}
          aria-label={label}
          data-fields={props.hasFields}
          noValidate
          onKeyDown={(event) => {
            if (isCollapsible && event.key === 'Escape' && !event.defaultPrevented) collapse();
          }}
          onSubmit={(event) => {
            event.preventDefault();
            if (!invalid && onSubmit() && isCollapsible) collapse();
          }}
        >
          {props.children}
          <div className={styles['buttons']}>
            <Button variant="outlined" onClick={onClear}>
              {props.clearLabel}
            </Button>
            <Button
              type="submit"
              variant={props.isOutdated ? 'solid' : 'outlined'}
              intent={props.isOutdated ? 'primary' : 'none'}
              icon={<SearchIcon />}
              disabled={invalid}
            >
              Search
            </Button>
          </div>
        </form>
      )}
    </>
  );
}
