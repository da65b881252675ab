import { Button, InputGroup, Intent, PopoverNext, Spinner } from '@blueprintjs/core';
import type { JSX, Ref } from 'react';

import { unentered } from '../forms/unentered';
import { CaretDownIcon, SmallCrossIcon } from '../icons';
import { FormField, type FieldProps } from './FormField';
import { isFocusLeaving } from './isFocusLeaving';
import type { Combobox } from './useCombobox';
import styles from './fields.module.css';

interface ComboboxFieldProps extends FieldProps {
  box: Combobox;
  /** The list; it never takes the focus, which the field keeps. */
  content: JSX.Element;
  /** What the list is, where it is no listbox. */
  popup?: 'grid' | undefined;
  /** Whether the list is as wide as the field. */
  matchWidth: boolean;
  adds: boolean;
  upper: boolean;
  showLabel: string;
  /** Empties a field that holds a value. */
  onClear?: (() => void) | undefined;
  onBlur?: (() => void) | undefined;
  onKeyDown?: ((event: React.KeyboardEvent) => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  placeholder?: string | undefined;
  maxLength?: number | undefined;
}

/** The field of a combobox with its list below (see `useCombobox`). */
export function ComboboxField({ box, inputRef, ...props }: ComboboxFieldProps) {
  const { field } = box;
  const error = box.refusal ?? props.error;
  return (
    <FormField {...props} error={error}>
      {(input) => (
        <PopoverNext
          isOpen={box.open && !props.disabled}
          onInteraction={(next, event) => {
            // A click into the field only moves the caret.
            if (!next && event?.target !== field.current) box.close();
          }}
          autoFocus={false}
          enforceFocus={false}
          shouldReturnFocusOnClose={false}
          placement="bottom-start"
          arrow={false}
          animation="minimal"
          fill
          matchTargetWidth={props.matchWidth}
          content={props.content}
        >
          <InputGroup
            {...input}
            {...(props.adds ? unentered(box.typed) : {})}
            fill
            role="combobox"
            aria-expanded={box.open}
            aria-haspopup={props.popup}
            aria-controls={box.listId}
            aria-autocomplete="list"
            aria-activedescendant={
              box.open && box.active >= 0 ? `${box.listId}-${box.active}` : undefined
            }
            autoComplete="off"
            spellCheck={false}
            className={props.upper ? styles['upper'] : undefined}
            intent={error ? Intent.DANGER : Intent.NONE}
            disabled={props.disabled}
            placeholder={props.placeholder}
            maxLength={props.maxLength}
            value={box.text}
            inputRef={(element: HTMLInputElement | null) => {
              field.current = element;
              if (typeof inputRef === 'function') inputRef(element);
              else if (inputRef) inputRef.current = element;
            }}
            onBlur={({ relatedTarget }) => {
              props.onBlur?.();
              // The focus may be taken elsewhere without a key or a click.
              if (isFocusLeaving(field.current, relatedTarget)) box.close();
            }}
            onClick={() => box.setOpen(true)}
            onKeyDown={props.onKeyDown ?? box.onKeyDown}
            onChange={(event) => box.onType(event.currentTarget)}
            rightElement={<RightButton {...props} box={box} />}
          />
        </PopoverNext>
      )}
    </FormField>
  );
}

type RightButtonProps = Pick<ComboboxFieldProps, 'box' | 'label' | 'disabled' | 'onClear'> & {
  showLabel: string;
};

function RightButton({ box, label, disabled = false, onClear, showLabel }: RightButtonProps) {
  if (box.isFetching) return <Spinner size={14} />;
  if (onClear !== undefined && !disabled) {
    return (
      <Button
        variant="minimal"
        icon={<SmallCrossIcon />}
        aria-label={`${label}: clear`}
        onClick={(event) => {
          event.stopPropagation();
          onClear();
          box.field.current?.focus();
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
        box.setOpen(!box.open);
        box.field.current?.focus();
      }}
    />
  );
}
