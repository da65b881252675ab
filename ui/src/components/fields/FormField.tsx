import { FormGroup, Intent } from '@blueprintjs/core';
import { useId, type ReactNode } from 'react';

import styles from './fields.module.css';

/** Props of every field. `error` is the message to show, if any. */
export interface FieldProps {
  label: string;
  error?: string | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  helperText?: ReactNode;
  /** Whether to hide the label visually; screen readers still read it. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
}

/** Attributes that connect an input with its label and error. */
export interface FieldInputProps {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-required': boolean | undefined;
  'aria-describedby': string | undefined;
}

interface FormFieldProps extends FieldProps {
  children: (input: FieldInputProps) => ReactNode;
}

/** A label, the input, and below it the error or a hint. */
export function FormField({ children, ...field }: FormFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = field.error ?? field.helperText;
  return (
    <FormGroup
      className={`${styles['field']} ${field.className ?? ''}`}
      label={
        <span className={field.hideLabel ? 'visually-hidden' : undefined}>
          {field.label}
          {field.required ? (
            <span className={styles['required']} aria-hidden="true">
              {' '}
              *
            </span>
          ) : null}
        </span>
      }
      labelFor={id}
      disabled={field.disabled ?? false}
      intent={field.error ? Intent.DANGER : Intent.NONE}
      helperText={note ? <span id={noteId}>{note}</span> : undefined}
    >
      {children({
        id,
        'aria-invalid': field.error ? true : undefined,
        'aria-required': field.required ? true : undefined,
        'aria-describedby': note ? noteId : undefined,
      })}
    </FormGroup>
  );
}
