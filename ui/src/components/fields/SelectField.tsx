import { HTMLSelect, Radio, RadioGroup } from '@blueprintjs/core';
import { useId, type KeyboardEvent, type Ref } from 'react';

import { FormField, type FieldProps } from './FormField';
import styles from './fields.module.css';

export interface Option {
  value: string;
  label: string;
}

interface SelectFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  onPointerDown?: (() => void) | undefined;
  inputRef?: Ref<HTMLSelectElement> | undefined;
  options: readonly Option[];
  /** Label of the empty choice; omit it where a value is required. */
  placeholder?: string | undefined;
}

/** A choice from a short list, with the browser's own control. */
export function SelectField({ value, onChange, options, placeholder, ...props }: SelectFieldProps) {
  return (
    <FormField {...props}>
      {(input) => (
        <HTMLSelect
          iconName="caret-down"
          {...input}
          fill
          className={styles['select']}
          value={value}
          ref={props.inputRef}
          disabled={props.disabled}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
          onPointerDown={props.onPointerDown}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {placeholder === undefined ? null : <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </HTMLSelect>
      )}
    </FormField>
  );
}

interface RadioFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
  disabled?: boolean | undefined;
}

/** A few choices that are all visible, such as the status filter of a search. */
export function RadioField({ label, value, onChange, options, disabled }: RadioFieldProps) {
  const id = useId();
  return (
    <div>
      <div id={id} className={styles['legend']}>
        {label}
      </div>
      <RadioGroup
        aria-labelledby={id}
        inline
        className={styles['choices']}
        selectedValue={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <Radio key={option.value} value={option.value} label={option.label} />
        ))}
      </RadioGroup>
    </div>
  );
}
