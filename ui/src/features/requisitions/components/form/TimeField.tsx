import { useState } from 'react';

import type { FieldProps } from '../../../../components/fields/FormField';
import { TextField } from '../../../../components/fields/TextField';
import type { BoundField } from '../../../../components/forms/Bound';

/** '16:05', '1605', '905', '7pm', '7:30 p.m.': hour, separator, minutes, half of the day. */
const TYPED_TIME = /^(\d{1,2})(?:([:. ]?)([0-5]\d))?\s*(?:([ap])\.?(?:m\.?)?)?$/i;

const padTwo = (value: number): string => String(value).padStart(2, '0');

/** Converts typed text to HH:MM. Returns the text unchanged if it is not a time, or ambiguous. */
function formatTyped(typedText: string): string {
  const text = typedText.trim();
  const [, hours = '', separator, minutes = '', half] = TYPED_TIME.exec(text) ?? [];
  const hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return text;
    const noon = half.toLowerCase() === 'p' ? 12 : 0;
    return `${padTwo((hour % 12) + noon)}:${minutes || '00'}`;
  }
  if (minutes === '' || hour > 23) return text;
  // '905' is five past nine, but '103' may be the start of 10:30 and is not converted.
  if (separator === '' && hours.length === 1 && Number(text.slice(0, 2)) < 24) return text;
  return `${padTwo(hour)}:${minutes}`;
}

/**
 * A 24-hour time, typed with or without separator, or with am and pm. The form gets the time as
 * soon as it is valid; the text is formatted when the field loses the focus.
 */
export function TimeField({
  value,
  onChange,
  onBlur,
  ...props
}: FieldProps & Omit<BoundField<string>, 'error'>) {
  const [typedText, setTypedText] = useState('');
  return (
    <TextField
      {...props}
      inputMode="numeric"
      placeholder="HH:MM"
      // The value changed elsewhere, for example by a draft or another user's save.
      value={formatTyped(typedText) === value ? typedText : value}
      onChange={(text) => {
        setTypedText(text);
        onChange(formatTyped(text));
      }}
      onBlur={() => {
        setTypedText(value);
        onBlur();
      }}
    />
  );
}
