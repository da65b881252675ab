import { Button, InputGroup, Intent, PopoverNext } from '@blueprintjs/core';
import { lazy, Suspense, useState, type Ref } from 'react';

import {
  parseIsoDate,
  formatDate,
  isIsoDate,
  toIsoDate,
  getLastPickableDay,
  maskDate,
  parseTypedDate,
  completeCentury,
} from '../../lib/dates';
import { CalendarIcon } from '../icons';
import { besideInWindow } from '../inWindow';
import { findCaretPosition, extractDigits } from '../../lib/mask';
import { FormField, type FieldProps } from './FormField';

const Calendar = lazy(() => import('./Calendar'));

interface DateFieldProps extends FieldProps {
  /** ISO date, '' when empty, or the unfinished text as typed. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  name?: string | undefined;
  /** ISO limits of the calendar. */
  min?: string | undefined;
  max?: string | undefined;
  onKeyDown?: React.KeyboardEventHandler<HTMLInputElement> | undefined;
  /** Whether there is no calendar, because this user can never change the date. */
  isPlain?: boolean | undefined;
}

const formatValue = (value: string): string => (isIsoDate(value) ? formatDate(value) : value);

/** A date typed as MM/DD/YYYY or shorter, such as 3/4/61, or picked from a calendar. */
export function DateField({ value, onChange, min, max, ...props }: DateFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  // A two-digit year is completed when the field loses the focus, since four digits may follow.
  const completeYear = () => {
    const fullDate = completeCentury(value, max ?? toIsoDate(getLastPickableDay()));
    if (fullDate !== value) onChange(parseTypedDate(fullDate) ?? fullDate);
  };
  return (
    <FormField {...props}>
      {(input) => (
        <InputGroup
          {...input}
          fill
          inputMode="numeric"
          autoComplete="off"
          name={props.name}
          placeholder="MM/DD/YYYY"
          value={formatValue(value)}
          inputRef={props.inputRef}
          disabled={props.disabled}
          intent={props.error ? Intent.DANGER : Intent.NONE}
          onBlur={() => {
            completeYear();
            props.onBlur?.();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') completeYear();
            props.onKeyDown?.(event);
          }}
          onChange={(event) => {
            const field = event.currentTarget;
            const fieldText = field.value;
            const position = field.selectionStart ?? fieldText.length;
            const text = maskDate(fieldText);
            if (fieldText !== text) {
              field.value = text;
              const digitsBefore = extractDigits(fieldText.slice(0, position)).length;
              const caret =
                position === fieldText.length ? text.length : findCaretPosition(text, digitsBefore);
              field.setSelectionRange(caret, caret);
            }
            onChange(parseTypedDate(text) ?? text);
          }}
          rightElement={
            props.isPlain ? undefined : (
              <PopoverNext
                isOpen={isOpen}
                onInteraction={setIsOpen}
                placement="bottom-end"
                middleware={besideInWindow}
                disabled={props.disabled ?? false}
                content={
                  <Suspense fallback={null}>
                    <Calendar
                      value={parseIsoDate(value)}
                      min={min ? parseIsoDate(min) : null}
                      max={max ? parseIsoDate(max) : null}
                      onPick={(date) => {
                        onChange(toIsoDate(date));
                        setIsOpen(false);
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
            )
          }
        />
      )}
    </FormField>
  );
}
