import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';

import type { Refusal } from '../forms/useEntry';
import { ComboboxField } from './ComboboxField';
import type { FieldProps } from './FormField';
import { useCombobox, type SearchQuery } from './useCombobox';
import styles from './fields.module.css';

export interface AsyncPickerProps<Item, Key extends QueryKey> extends FieldProps {
  value: Item | null;
  onChange: (item: Item | null) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  /** Asks the portal for the first items that match. */
  query: SearchQuery<Item[], Key>;
  itemKey: (item: Item) => string | number;
  /** The words in the field once the item is chosen. */
  itemText: (item: Item) => string;
  /** The line in the list, when it says more than `itemText`. */
  renderItem?: ((item: Item) => ReactNode) | undefined;
  placeholder?: string | undefined;
  upper?: boolean | undefined;
  /** Width of the list in pixels, where it is to be wider than the field. */
  listWidth?: number | undefined;
  /** For pickers that add to a list: the field is empty again after a choice. */
  adds?: boolean | undefined;
  /**
   * Enter pressed on typed text while no line is highlighted. The field is free for the next at
   * once; words that are refused come back into it, with the reason.
   */
  onEnterText?: ((text: string) => Promise<Refusal>) | undefined;
  /**
   * For lists that take what is not in them: the words of a last line that does what Enter does,
   * shown while the typed text is none of the items.
   */
  enterTextLabel?: ((text: string) => string) | undefined;
  maxLength?: number | undefined;
}

/** A search box over a remote list: type, arrow keys, Enter (WAI-ARIA combobox). */
export function AsyncPicker<Item, Key extends QueryKey>(props: AsyncPickerProps<Item, Key>) {
  const { value, onChange, itemKey, itemText, enterTextLabel } = props;
  const { adds = false, upper = false } = props;
  const { box, lines, lineProps, status, offeredText, clear } = useCombobox({
    query: props.query,
    linesOf: (items) => items,
    lineKey: itemKey,
    lineText: itemText,
    chosenText: value === null || adds ? '' : itemText(value),
    adds,
    upper,
    acceptsCached: false,
    onChoose: (item) => {
      onChange(item);
      return null;
    },
    onEnterText: props.onEnterText,
    offersText: (text, items) =>
      enterTextLabel !== undefined && !items.some((item) => itemText(item) === text),
  });

  return (
    <ComboboxField
      {...props}
      box={box}
      adds={adds}
      upper={upper}
      matchWidth={props.listWidth === undefined}
      showLabel={`${props.label}: show list`}
      onClear={
        value === null || adds
          ? undefined
          : () => {
              onChange(null);
              clear();
            }
      }
      content={
        <div style={props.listWidth ? { width: `min(${props.listWidth}px, 92vw)` } : undefined}>
          {status === null ? null : (
            <div className={styles['note']} role="status">
              {status}
            </div>
          )}
          <ul id={box.listId} role="listbox" aria-label={props.label} className={styles['options']}>
            {lines.map((item, index) => (
              <li
                {...lineProps(index)}
                key={itemKey(item)}
                role="option"
                aria-selected={value !== null && itemKey(value) === itemKey(item)}
                className={styles['option']}
              >
                {props.renderItem ? props.renderItem(item) : itemText(item)}
              </li>
            ))}
            {offeredText === null ? null : (
              <li
                {...lineProps(lines.length)}
                role="option"
                aria-selected={false}
                className={styles['option']}
              >
                {enterTextLabel?.(offeredText)}
              </li>
            )}
          </ul>
        </div>
      }
    />
  );
}
