import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';

import type { Rejection } from '../forms/useAddition';
import { isSameText } from './certainty';
import { ComboboxField } from './ComboboxField';
import type { FieldProps } from './FormField';
import { useCombobox, type SearchQuery } from './useCombobox';
import styles from './fields.module.css';

export interface AsyncPickerProps<Item, Key extends QueryKey> extends FieldProps {
  value: Item | null;
  onChange: (item: Item | null) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  /** Loads the first items that match. */
  query: SearchQuery<Item[], Key>;
  getItemKey: (item: Item) => string | number;
  /** The text in the field after a choice. */
  getItemText: (item: Item) => string;
  /** The content of a line in the list, if it shows more than `getItemText`. */
  renderItem?: ((item: Item) => ReactNode) | undefined;
  placeholder?: string | undefined;
  upper?: boolean | undefined;
  /** Width of the list in pixels, if it is wider than the field. */
  listWidth?: number | undefined;
  /** Whether the picker adds items to a list; a choice then empties the field. */
  addsToList?: boolean | undefined;
  /**
   * Handles Enter on typed text that no item matches. The user can type the next text at once;
   * rejected text returns to the field with the reason.
   */
  onEnterText?: ((text: string) => Promise<Rejection>) | undefined;
  /**
   * Label of an extra last line that does what Enter does, for lists that accept new values. Shown
   * while the typed text matches no item.
   */
  enterTextLabel?: ((text: string) => string) | undefined;
  /** Whether the typed text is the complete code or name of an item. Default: its text. */
  isExact?: ((item: Item, typedText: string) => boolean) | undefined;
  /** Whether the first of several lines is highlighted at once, so that one Enter chooses it. */
  highlightsFirst?: ((typedText: string) => boolean) | undefined;
  maxLength?: number | undefined;
}

/** A search box over a remote list: type, arrow keys, Enter (WAI-ARIA combobox). */
export function AsyncPicker<Item, Key extends QueryKey>(props: AsyncPickerProps<Item, Key>) {
  const { value, onChange, getItemKey, getItemText, enterTextLabel } = props;
  const { addsToList = false, upper = false } = props;
  const { combobox, lines, getLineProps, status, offeredText, clear } = useCombobox({
    query: props.query,
    getLines: (items) => items,
    getLineKey: getItemKey,
    getLineText: getItemText,
    chosenText: value === null || addsToList ? '' : getItemText(value),
    addsToList,
    upper,
    acceptsCached: false,
    onChoose: (item) => {
      onChange(item);
      return null;
    },
    onEnterText: props.onEnterText,
    highlightsFirst: props.highlightsFirst,
    isExact: props.isExact ?? ((item, typedText) => isSameText(getItemText(item), typedText)),
    offersText: (text, items) =>
      enterTextLabel !== undefined && !items.some((item) => getItemText(item) === text),
  });

  return (
    <ComboboxField
      {...props}
      combobox={combobox}
      addsToList={addsToList}
      upper={upper}
      matchWidth={props.listWidth === undefined}
      showLabel={`${props.label}: show list`}
      onClear={
        value === null || addsToList
          ? undefined
          : () => {
              onChange(null);
              clear();
            }
      }
      content={
        <div
          className={styles['list']}
          style={props.listWidth ? { width: `min(${props.listWidth}px, 92vw)` } : undefined}
        >
          {status === null ? null : (
            <div className={styles['note']} role="status">
              {status}
            </div>
          )}
          <ul
            id={combobox.listId}
            role="listbox"
            aria-label={props.label}
            className={styles['options']}
          >
            {lines.map((item, index) => (
              <li
                {...getLineProps(index)}
                key={getItemKey(item)}
                role="option"
                aria-selected={value !== null && getItemKey(value) === getItemKey(item)}
                className={styles['option']}
              >
                {props.renderItem ? props.renderItem(item) : getItemText(item)}
              </li>
            ))}
            {offeredText === null ? null : (
              <li
                {...getLineProps(lines.length)}
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
