import { Button, InputGroup, Intent, PopoverNext, Spinner } from '@blueprintjs/core';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState, type ReactNode, type Ref } from 'react';

import { describe } from '../../api';
import { CaretDownIcon, SmallCrossIcon } from '../icons';
import { useDebounced } from '../useDebounced';
import { underWay, unentered } from '../forms/unentered';
import { useEntry, type Refusal } from '../forms/useEntry';
import { FormField, type FieldProps } from './FormField';
import { leaves } from './leaves';
import styles from './fields.module.css';

export interface AsyncPickerProps<Item> extends FieldProps {
  value: Item | null;
  onChange: (item: Item | null) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  /** Names the lookup and what it depends on, such as the chosen client. */
  queryKey: readonly unknown[];
  /** Asks the portal for the first items that match. */
  load: (search: string, signal: AbortSignal) => Promise<readonly Item[]>;
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

const TYPING_PAUSE_MS = 200;

/** A search box over a remote list: type, arrow keys, Enter (WAI-ARIA combobox). */
export function AsyncPicker<Item>(props: AsyncPickerProps<Item>) {
  const { value, onChange, itemKey, itemText, queryKey, load, adds, upper, onEnterText } = props;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const field = useRef<HTMLInputElement | null>(null);
  // Counts what was typed, chosen or given up: an earlier Enter is about none of it.
  const turn = useRef(0);
  const listId = useId();

  const entry = useEntry(field, typed ?? '');
  const text = entry.text || (typed ?? (value === null || adds ? '' : itemText(value)));
  const search = useDebounced(entry.text, TYPING_PAUSE_MS);
  const queries = useQueryClient();
  const listOf = (text: string) =>
    queryOptions({
      queryKey: [...queryKey, 'picker', text],
      queryFn: ({ signal }) => load(text.trim(), signal),
      meta: { quiet: true },
    });
  const lookup = useQuery({
    ...listOf(search),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const items = lookup.data ?? [];
  const free = entry.text.trim();
  const offersText =
    props.enterTextLabel !== undefined &&
    free !== '' &&
    !items.some((item) => itemText(item) === free);
  const lines = items.length + (offersText ? 1 : 0);
  const settled = search === entry.text && !lookup.isFetching;

  /** What was typed to be added stays in sight: it is not in the list yet, and not lost either. */
  const shut = () => {
    setOpen(false);
    setActive(-1);
    if (!adds) setTyped(null);
  };
  const close = () => {
    turn.current += 1;
    shut();
    setTyped(null);
    entry.release();
  };
  const choose = (item: Item) => {
    onChange(item);
    close();
  };
  const move = (step: number) => {
    setOpen(true);
    if (lines === 0) return;
    // From no line at all, the first step up leads to the last one.
    setActive((current) => (Math.max(current, step < 0 ? 0 : -1) + step + lines) % lines);
  };

  /** Whether a line of the earlier answer is still one for what is typed now. */
  const isMatch = async (item: Item): Promise<boolean> => {
    try {
      const now = await queries.query(listOf(entry.text));
      return now.some((one) => itemKey(one) === itemKey(item));
    } catch {
      return false;
    }
  };
  const enterText = async (deal: (text: string) => Promise<Refusal>) => {
    const known = settled && items.length > 0;
    close();
    const isBack = await entry.enter(free, deal);
    if (isBack && known && document.activeElement === field.current) setOpen(true);
  };
  const enter = async () => {
    const highlighted = items[active];
    const [only] = items;
    if (open && highlighted !== undefined) {
      const pressed = turn.current;
      if (settled || ((await isMatch(highlighted)) && turn.current === pressed))
        choose(highlighted);
    } else if (free && onEnterText) await enterText(onEnterText);
    else if (open && settled && items.length === 1 && only !== undefined) choose(only);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
        event.preventDefault();
        move(1);
        break;
      case 'ArrowUp':
        event.preventDefault();
        move(-1);
        break;
      case 'Enter':
        if (open || entry.text) {
          event.preventDefault();
          void underWay(enter());
        }
        break;
      case 'Escape':
        if (open) {
          event.stopPropagation();
          turn.current += 1;
          shut();
        }
        break;
      case 'Tab':
        shut();
        break;
    }
  };

  const status = lookup.isError
    ? describe(lookup.error)
    : lookup.isPending
      ? 'Searching…'
      : items.length === 0 && !offersText
        ? 'Nothing found'
        : null;

  const error = entry.refusal ?? props.error;
  return (
    <FormField {...props} error={error}>
      {(input) => (
        <PopoverNext
          isOpen={open && !props.disabled}
          onInteraction={(next, event) => {
            // A click into the field only moves the caret.
            if (!next && event?.target !== field.current) shut();
          }}
          autoFocus={false}
          enforceFocus={false}
          shouldReturnFocusOnClose={false}
          placement="bottom-start"
          arrow={false}
          animation="minimal"
          fill
          matchTargetWidth={props.listWidth === undefined}
          content={
            <div style={props.listWidth ? { width: `min(${props.listWidth}px, 92vw)` } : undefined}>
              {status === null ? null : (
                <div className={styles['note']} role="status">
                  {status}
                </div>
              )}
              <ul id={listId} role="listbox" aria-label={props.label} className={styles['options']}>
                {items.map((item, index) => (
                  // The combobox keeps the focus and handles the keys for its options.
                  // eslint-disable-next-line jsx-a11y/click-events-have-key-events
                  <li
                    key={itemKey(item)}
                    id={`${listId}-${index}`}
                    role="option"
                    aria-selected={value !== null && itemKey(value) === itemKey(item)}
                    data-active={index === active}
                    className={styles['option']}
                    onMouseDown={(event) => event.preventDefault()}
                    onMouseMove={() => setActive(index)}
                    onClick={() => choose(item)}
                  >
                    {props.renderItem ? props.renderItem(item) : itemText(item)}
                  </li>
                ))}
                {offersText ? (
                  // eslint-disable-next-line jsx-a11y/click-events-have-key-events
                  <li
                    id={`${listId}-${items.length}`}
                    role="option"
                    aria-selected={false}
                    data-active={active === items.length}
                    className={styles['option']}
                    onMouseDown={(event) => event.preventDefault()}
                    onMouseMove={() => setActive(items.length)}
                    onClick={() => void underWay(enter())}
                  >
                    {props.enterTextLabel?.(free)}
                  </li>
                ) : null}
              </ul>
            </div>
          }
        >
          <InputGroup
            {...input}
            {...(adds ? unentered(free) : {})}
            fill
            role="combobox"
            aria-expanded={open}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            className={upper ? styles['upper'] : undefined}
            intent={error ? Intent.DANGER : Intent.NONE}
            disabled={props.disabled}
            placeholder={props.placeholder}
            maxLength={props.maxLength}
            value={text}
            inputRef={(element: HTMLInputElement | null) => {
              field.current = element;
              if (typeof props.inputRef === 'function') props.inputRef(element);
              else if (props.inputRef) props.inputRef.current = element;
            }}
            onBlur={({ relatedTarget }) => {
              props.onBlur?.();
              // The focus may be taken elsewhere without a key or a click.
              if (leaves(field.current, relatedTarget)) shut();
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              const next = event.currentTarget.value;
              turn.current += 1;
              entry.edited(next);
              setTyped(upper ? next.toUpperCase() : next);
              setActive(-1);
              setOpen(true);
            }}
            rightElement={
              lookup.isFetching ? (
                <Spinner size={14} />
              ) : value !== null && !adds && !props.disabled ? (
                <Button
                  variant="minimal"
                  icon={<SmallCrossIcon />}
                  aria-label={`${props.label}: clear`}
                  onClick={(event) => {
                    event.stopPropagation();
                    onChange(null);
                    close();
                    field.current?.focus();
                  }}
                />
              ) : (
                <Button
                  variant="minimal"
                  tabIndex={-1}
                  icon={<CaretDownIcon />}
                  disabled={props.disabled ?? false}
                  aria-label={`${props.label}: show list`}
                  onClick={(event) => {
                    event.stopPropagation();
                    setOpen(!open);
                    field.current?.focus();
                  }}
                />
              )
            }
          />
        </PopoverNext>
      )}
    </FormField>
  );
}
