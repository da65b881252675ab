import { Button, InputGroup, Intent, PopoverNext } from '@blueprintjs/core';
import { lazy, Suspense, useState, type Ref } from 'react';

import {
  dateOf,
  formatDate,
  isIsoDate,
  isoOf,
  lastPickableDay,
  maskDate,
  parseTyped,
  withCentury,
} from '../../lib/dates';
import { CalendarIcon } from '../icons';
import { caretAfter, digitsOf } from '../../lib/mask';
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

/** A date typed as MM/DD/YYYY, or shorter as 3/4/61, or picked from a calendar. */
export function DateField({ value, onChange, min, max, ...props }: DateFieldProps) {
  const [open, setOpen] = useState(false);
  // A year of two digits gets its century when the field is left: until then four may follow.
  const finish = () => {
    const whole = withCentury(value, max ?? isoOf(lastPickableDay()));
    if (whole !== value) onChange(parseTyped(whole) ?? whole);
  };
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
          onBlur={() => {
            finish();
            props.onBlur?.();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') finish();
            props.onKeyDown?.(event);
          }}
          onChange={(event) => {
            const field = event.currentTarget;
            const typed = field.value;
            const at = field.selectionStart ?? typed.length;
            const text = maskDate(typed);
            if (typed !== text) {
              field.value = text;
              const behind = digitsOf(typed.slice(0, at)).length;
              const caret = at === typed.length ? text.length : caretAfter(text, behind);
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
