import { Button, InputGroup, Intent, PopoverNext, Spinner } from '@blueprintjs/core';
import { useLayoutEffect, type JSX, type Ref } from 'react';

import { markPendingText } from '../forms/pendingText';
import { CaretDownIcon, SmallCrossIcon } from '../icons';
import { FormField, type FieldProps } from './FormField';
import { isFocusLeaving } from './isFocusLeaving';
import type { Combobox } from './useCombobox';
import { scrollToLine, useListRoom } from './useListRoom';
import styles from './fields.module.css';

interface ComboboxFieldProps extends FieldProps {
  combobox: Combobox;
  /** The list, at most `--room` high. The field keeps the focus. */
  content: JSX.Element;
  /** The list's role, if it is not a listbox. */
  popup?: 'grid' | undefined;
  /** Whether the list is as wide as the field. */
  matchWidth: boolean;
  /** Whether the chosen value is added to a list, so that typed text is pending text. */
  addsToList: boolean;
  upper: boolean;
  /** The label of the button that opens the list. */
  showLabel: string;
  /** Empties a field that has a value. */
  onClear?: (() => void) | undefined;
  onBlur?: (() => void) | undefined;
  onKeyDown?: ((event: React.KeyboardEvent) => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  placeholder?: string | undefined;
  maxLength?: number | undefined;
}

/** The field of a combobox and the list below it (see `useCombobox`). */
export function ComboboxField({ combobox, inputRef, ...props }: ComboboxFieldProps) {
  const { field } = combobox;
  const error = combobox.rejection ?? props.error;
  const room = useListRoom(field, props.matchWidth);
  const isOpen = combobox.isOpen && !props.disabled;
  const activeLine =
    combobox.isOpen && combobox.active >= 0 ? `${combobox.listId}-${combobox.active}` : undefined;
  useLayoutEffect(() => {
    if (activeLine !== undefined) scrollToLine(activeLine);
  });
  return (
    <FormField {...props} error={error}>
      {(input) => (
        <PopoverNext
          isOpen={isOpen}
          onInteraction={(next, event) => {
            // A click into the field only moves the caret.
            if (!next && event?.target !== field.current) combobox.close();
          }}
          autoFocus={false}
          enforceFocus={false}
          shouldReturnFocusOnClose={false}
          {...room}
          matchTargetWidth={props.matchWidth}
          arrow={false}
          animation="minimal"
          fill
          content={props.content}
        >
          <InputGroup
            {...input}
            {...(props.addsToList ? markPendingText(combobox.typedText) : {})}
            fill
            role="combobox"
            aria-expanded={combobox.isOpen}
            aria-haspopup={props.popup}
            aria-controls={combobox.listId}
            aria-autocomplete="list"
            aria-activedescendant={activeLine}
            autoComplete="off"
            spellCheck={false}
            className={props.upper ? styles['upper'] : undefined}
            intent={error ? Intent.DANGER : Intent.NONE}
            disabled={props.disabled}
            placeholder={props.placeholder}
            maxLength={props.maxLength}
            value={combobox.text}
            inputRef={(element: HTMLInputElement | null) => {
              field.current = element;
              if (typeof inputRef === 'function') inputRef(element);
              else if (inputRef) inputRef.current = element;
            }}
            onBlur={({ relatedTarget }) => {
              props.onBlur?.();
              // The focus may move elsewhere without a key press or a click.
              if (isFocusLeaving(field.current, relatedTarget)) combobox.close();
            }}
            onClick={() => combobox.setIsOpen(true)}
            onKeyDown={props.onKeyDown ?? combobox.onKeyDown}
            onChange={(event) => combobox.onType(event.currentTarget)}
            rightElement={<RightButton {...props} combobox={combobox} />}
          />
        </PopoverNext>
      )}
    </FormField>
  );
}

type RightButtonProps = Pick<ComboboxFieldProps, 'combobox' | 'label' | 'disabled' | 'onClear'> & {
  showLabel: string;
};

function RightButton({ combobox, label, disabled = false, onClear, showLabel }: RightButtonProps) {
  if (combobox.isFetching) return <Spinner size={14} />;
  if (onClear !== undefined && !disabled) {
    return (
      <Button
        variant="minimal"
        icon={<SmallCrossIcon />}
        aria-label={`${label}: clear`}
        onClick={(event) => {
          event.stopPropagation();
          onClear();
          combobox.field.current?.focus();
        }}
      />
    );
  }
  return (
    <Button
      variant="minimal"
      tabIndex={-1}
      icon={<CaretDownIcon />}
      disabled={disabled}
      aria-label={showLabel}
      onClick={(event) => {
        event.stopPropagation();
        combobox.setIsOpen(!combobox.isOpen);
        combobox.field.current?.focus();
      }}
    />
  );
}
