import { useState } from 'react';

import type { FieldProps } from '../../../../components/fields/FormField';
import { TextField } from '../../../../components/fields/TextField';
import type { BoundField } from '../../../../components/forms/Bound';

/** '16:05', '1605', '905', '7pm', '7:30 p.m.': hour, separator, minutes, half of the day. */
const TYPED = /^(\d{1,2})(?:([:. ]?)([0-5]\d))?\s*(?:([ap])\.?(?:m\.?)?)?$/i;

const two = (value: number): string => String(value).padStart(2, '0');

/** HH:MM of what was typed; what names no time of day, or more than one, stays as it is. */
function finished(typed: string): string {
  const text = typed.trim();
  const [, hours = '', separator, minutes = '', half] = TYPED.exec(text) ?? [];
  const hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return text;
    const noon = half.toLowerCase() === 'p' ? 12 : 0;
    return `${two((hour % 12) + noon)}:${minutes || '00'}`;
  }
  if (minutes === '' || hour > 23) return text;
  // '905' is five past nine; '103' may be a part of 10:30 and is not guessed at.
  if (separator === '' && hours.length === 1 && Number(text.slice(0, 2)) < 24) return text;
  return `${two(hour)}:${minutes}`;
}

/**
 * A time of day on 24 hours, typed with or without separator, or with am and pm. The form holds
 * the time as soon as it can be read; the text changes to it when the field is left.
 */
export function TimeField({
  value,
  onChange,
  onBlur,
  ...props
}: FieldProps & Omit<BoundField<string>, 'error'>) {
  const [typed, setTyped] = useState('');
  return (
    <TextField
      {...props}
      inputMode="numeric"
      placeholder="HH:MM"
      // Another value came from elsewhere, such as a draft or somebody else's change.
      value={finished(typed) === value ? typed : value}
      onChange={(text) => {
        setTyped(text);
        onChange(finished(text));
      }}
      onBlur={() => {
        setTyped(value);
        onBlur();
      }}
    />
  );
}
