import { Button, InputGroup, Intent, PopoverNext } from '@blueprintjs/core';
import { lazy, Suspense, useState, type Ref } from 'react';

import { dateOf, formatDate, isIsoDate, isoOf, parseTyped } from '../dates';
import { CalendarIcon } from '../icons';
import { applyMask, caretAfter, digitsOf, masks } from '../mask';
import { FormField, type FieldProps } from './FormField';
import styles from './fields.module.css';

const Calendar = lazy(() => import('./Calendar'));

interface DateFieldProps extends FieldProps {
  /** ISO date, '' when empty, or the unfinished text as it was typed. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  name?: string | undefined;
  /** ISO limits of the calendar. */
  min?: string | undefined;
  max?: string | undefined;
  onKeyDown?: React.KeyboardEventHandler<HTMLInputElement> | undefined;
}

const shown = (value: string): string => (isIsoDate(value) ? formatDate(value) : value);

/** A date typed as MM/DD/YYYY or picked from a calendar. */
export function DateField({ value, onChange, min, max, ...props }: DateFieldProps) {
  const [open, setOpen] = useState(false);
  return (
    <FormField {...props}>
      {(input) => (
        <InputGroup
          {...input}
          fill
          inputMode="numeric"
          autoComplete="off"
          className={styles['number']}
          name={props.name}
          placeholder="MM/DD/YYYY"
          value={shown(value)}
          inputRef={props.inputRef}
          disabled={props.disabled}
          intent={props.error ? Intent.DANGER : Intent.NONE}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
          onChange={(event) => {
            const field = event.currentTarget;
            const before = digitsOf(field.value.slice(0, field.selectionStart ?? undefined)).length;
            const text = applyMask(field.value, masks.date);
            if (field.value !== text) {
              field.value = text;
              const caret = caretAfter(text, before);
              field.setSelectionRange(caret, caret);
            }
            onChange(parseTyped(text) ?? text);
          }}
          rightElement={
            <PopoverNext
              isOpen={open}
              onInteraction={setOpen}
              placement="bottom-end"
              disabled={props.disabled ?? false}
              content={
                <Suspense fallback={null}>
                  <Calendar
                    value={dateOf(value)}
                    min={min ? dateOf(min) : null}
                    max={max ? dateOf(max) : null}
                    onPick={(date) => {
                      onChange(isoOf(date));
                      setOpen(false);
                    }}
                  />
                </Suspense>
              }
            >
              <Button
                variant="minimal"
                icon={<CalendarIcon />}
                disabled={props.disabled ?? false}
                aria-label={`${props.label}: open calendar`}
              />
            </PopoverNext>
          }
        />
      )}
    </FormField>
  );
}
