import { InputGroup, Intent, TextArea } from '@blueprintjs/core';
import type { HTMLInputAutoCompleteAttribute, JSX, Ref } from 'react';

import { markPendingText } from '../forms/pendingText';
import { applyMask, findCaretPosition, extractDigits } from '../../lib/mask';
import { FormField, type FieldProps } from './FormField';
import { capitalize, replaceText } from './typing';
import styles from './fields.module.css';

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  name?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'search' | 'time' | undefined;
  /** Whether to convert typed text to upper case: names, codes, beds (O 5). */
  upper?: boolean | undefined;
  /** Whether the text is added to a list; it blocks saving until the list has it (ADR 15). */
  addsToList?: boolean | undefined;
  maxLength?: number | undefined;
  placeholder?: string | undefined;
  readOnly?: boolean | undefined;
  /** -1 for fields that only display a value: the Tab key skips them. */
  tabIndex?: number | undefined;
  autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  leftElement?: JSX.Element | undefined;
  rightElement?: JSX.Element | undefined;
  onKeyDown?: React.KeyboardEventHandler<HTMLInputElement> | undefined;
  onKeyUp?: React.KeyboardEventHandler<HTMLInputElement> | undefined;
  inputMode?: 'numeric' | 'text' | 'email' | undefined;
}

export function TextField({ value, onChange, upper, type = 'text', ...props }: TextFieldProps) {
  return (
    <FormField {...props}>
      {(input) => (
        <InputGroup
          {...input}
          {...(props.addsToList ? markPendingText(value) : {})}
          fill
          type={type}
          name={props.name}
          value={value}
          inputRef={props.inputRef}
          className={upper ? styles['upper'] : undefined}
          intent={props.error ? Intent.DANGER : Intent.NONE}
          disabled={props.disabled}
          readOnly={props.readOnly}
          tabIndex={props.tabIndex}
          maxLength={props.maxLength}
          placeholder={props.placeholder}
          autoComplete={props.autoComplete ?? 'off'}
          inputMode={props.inputMode}
          leftElement={props.leftElement}
          rightElement={props.rightElement}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
          onKeyUp={props.onKeyUp}
          onChange={({ currentTarget }) =>
            onChange(upper ? capitalize(currentTarget) : currentTarget.value)
          }
        />
      )}
    </FormField>
  );
}

interface MaskedFieldProps extends Omit<TextFieldProps, 'upper' | 'type' | 'maxLength'> {
  /** One of `masks`. The value has only the digits. */
  mask: string;
}

/** A field of digits shown through a mask: phone, social security number, zip code. */
export function MaskedField({ mask, value, onChange, ...props }: MaskedFieldProps) {
  return (
    <FormField {...props}>
      {(input) => (
        <InputGroup
          {...input}
          {...(props.addsToList ? markPendingText(applyMask(value, mask)) : {})}
          fill
          inputMode="numeric"
          autoComplete={props.autoComplete ?? 'off'}
          name={props.name}
          value={applyMask(value, mask)}
          inputRef={props.inputRef}
          intent={props.error ? Intent.DANGER : Intent.NONE}
          disabled={props.disabled}
          readOnly={props.readOnly}
          placeholder={props.placeholder ?? mask}
          rightElement={props.rightElement}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
          onChange={(event) => {
            const field = event.currentTarget;
            const digitsBefore = extractDigits(
              field.value.slice(0, field.selectionStart ?? undefined),
            ).length;
            const maskedText = applyMask(field.value, mask);
            replaceText(field, maskedText, findCaretPosition(maskedText, digitsBefore));
            onChange(extractDigits(maskedText));
          }}
        />
      )}
    </FormField>
  );
}

const LINE_PX = 18;
const PADDING_PX = 16;

interface TextAreaFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLTextAreaElement> | undefined;
  rows?: number | undefined;
  maxLength?: number | undefined;
  readOnly?: boolean | undefined;
}

export function TextAreaField({ value, onChange, rows = 3, ...props }: TextAreaFieldProps) {
  return (
    <FormField {...props}>
      {(input) => (
        <TextArea
          {...input}
          fill
          autoResize
          // Growing with the text would otherwise start at one line.
          style={{ minHeight: `${rows * LINE_PX + PADDING_PX}px` }}
          value={value}
          inputRef={props.inputRef}
          maxLength={props.maxLength}
          disabled={props.disabled}
          readOnly={props.readOnly}
          intent={props.error ? Intent.DANGER : Intent.NONE}
          onBlur={props.onBlur}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}
