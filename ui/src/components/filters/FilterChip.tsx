import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

import { useScreen } from '../useMedia';
import styles from './filters.module.css';

interface FilterChipProps {
  label: string;
  /** The chosen value, as the chip shows it. */
  value: string;
  /** Whether the value says that nothing is chosen ('Any'); narrow windows then hide it. */
  isAny?: boolean;
  /** Whether the value needs no label, which narrow windows then hide. */
  isSelfExplanatory?: boolean;
  /** Whether the value differs from the default; the chip then has a color. */
  isSet: boolean;
  isInvalid?: boolean;
  /** Whether to close the fields when the value changes, because only one choice can be made. */
  closesOnChange?: boolean;
  /** Whether to open the list of a picker too, so that a choice takes two clicks and not three. */
  opensList?: boolean;
  /** The fields, or a function that builds them; it can close them after a complete choice. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

const stayOpen = () => undefined;
const renderFields = ({ children }: FilterChipProps, close: () => void) =>
  typeof children === 'function' ? children(close) : children;

const FIELDS = 'input:not([type=radio]), [type=radio]:checked, button';
/** Lists and dialogs of the fields, which are drawn elsewhere in the page. */
const OVERLAYS = '.bp6-portal';

/** A filter as a chip that opens its fields. On phones the fields are in the panel itself. */
export function FilterChip(props: FilterChipProps) {
  return useScreen() === 'phone' ? renderFields(props, stayOpen) : <Chip {...props} />;
}

/** Closes the only chip that is open. */
let closeOpenChip: (() => void) | null = null;

function Chip(props: FilterChipProps) {
  const { label, value, isSet, isInvalid = false, opensList } = props;
  const [isOpen, setIsOpen] = useState(false);
  const popupId = useId();
  const anchor = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [side, setSide] = useState<'left' | 'right'>('left');

  useLayoutEffect(() => {
    if (!isOpen) return;
    const edge = anchor.current?.closest('main')?.getBoundingClientRect().right ?? innerWidth;
    if ((popup.current?.getBoundingClientRect().right ?? 0) > edge) setSide('right');
    const field = popup.current?.querySelector<HTMLElement>(FIELDS);
    field?.focus();
    if (opensList) field?.click();
  }, [isOpen, opensList]);

  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => setIsOpen(false);
    closeOpenChip?.();
    closeOpenChip = close;
    return () => {
      if (closeOpenChip === close) closeOpenChip = null;
    };
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event) => {
      const element = target as Element;
      if (!anchor.current?.contains(element) && !element.closest(OVERLAYS)) setIsOpen(false);
    };
    const form = anchor.current?.closest('form');
    const closeSubmitted = () => {
      if (!isInvalid) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    form?.addEventListener('submit', closeSubmitted);
    return () => {
      form?.removeEventListener('submit', closeSubmitted);
      document.removeEventListener('pointerdown', closeOutside);
    };
  }, [isInvalid, isOpen]);

  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    if (props.closesOnChange) setIsOpen(false);
  }
  // The focus returns to the chip, unless the user has moved on.
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) {
      button.current?.focus();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);

  return (
    // Escape works in every field of the chip.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={anchor}
      // The fields close when one of them opens a dialog, so the focus returns here.
      data-focus-home
      className={styles['anchor']}
      onKeyDown={(event) => {
        const isOwn = anchor.current?.contains(event.target as Element) ?? false;
        if (!isOpen || !isOwn || event.defaultPrevented) return;
        // Only Tab counts: a closing menu moves the focus too, to the menu's own button.
        if (event.key === 'Tab') {
          setTimeout(() => {
            if (!anchor.current?.contains(document.activeElement)) setIsOpen(false);
          });
        }
        if (event.key === 'Escape') {
          event.stopPropagation();
          setIsOpen(false);
          button.current?.focus();
        }
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles['chip']}
        data-set={isSet}
        data-invalid={isInvalid}
        aria-expanded={isOpen}
        aria-controls={isOpen ? popupId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className={styles['label']} data-self-explanatory={props.isSelfExplanatory}>
          {label}
        </span>{' '}
        <span className={styles['value']} data-any={props.isAny}>
          {value}
        </span>
      </button>
      {isOpen ? (
        <div
          ref={popup}
          id={popupId}
          role="group"
          aria-label={label}
          className={styles['popup']}
          data-side={side}
        >
          {renderFields(props, () => setIsOpen(false))}
        </div>
      ) : null}
    </div>
  );
}

interface ToggleChipProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A filter that is on or off. */
export function ToggleChip({ label, checked, onChange }: ToggleChipProps) {
  return (
    <label className={`${styles['chip']} ${styles['toggle']}`} data-set={checked}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
