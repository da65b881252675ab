import { useState } from 'react';

import { messages } from '../../contract';
import { formatTime } from '../../lib/dates';
import { isTime, MIDNIGHT } from '../../lib/dateTimes';
import { TextField, type TextFieldProps } from './TextField';

/** '16:05', '1605', '905', '7pm', '7:30 p.m.': hour, separator, minutes, half of the day. */
const TYPED_TIME = /^(\d{1,2})(?:([:. ]?)([0-5]\d))?\s*(?:([ap])\.?(?:m\.?)?)?$/i;

const padTwo = (value: number): string => String(value).padStart(2, '0');

/** Returns the text that the field shows for a value, which may be unfinished text. */
const showValue = (value: string): string => (isTime(value) ? formatTime(value) : value);

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
 * A time of HH:MM, typed with or without separator, in 24 hours or with am and pm. The form gets
 * the time as soon as it is valid. The text becomes `02:05 PM` when the field loses the focus. Says
 * that midnight is stored as an unknown time.
 */
export function TimeField({ value, onChange, onBlur, ...props }: TextFieldProps) {
  const [typedText, setTypedText] = useState('');
  return (
    <TextField
      {...props}
      placeholder="HH:MM AM/PM"
      helperText={value === MIDNIGHT ? messages.MIDNIGHT_MEANS_UNKNOWN : props.helperText}
      // The value changed elsewhere, for example by a draft or another user's save.
      value={formatTyped(typedText) === value ? typedText : showValue(value)}
      onChange={(text) => {
        setTypedText(text);
        onChange(formatTyped(text));
      }}
      onBlur={() => {
        setTypedText(showValue(value));
        onBlur?.();
      }}
    />
  );
}
