import type { Ref } from 'react';

import { messages } from '../../contract';
import { isIsoDate } from '../../lib/dates';
import { isTime, joinDateTime, splitDateTime } from '../../lib/dateTimes';
import { DateField } from './DateField';
import type { FieldProps } from './FormField';
import { TimeField } from './TimeField';

interface DateTimeFieldProps extends FieldProps {
  /** The label of the second field, for the time. */
  timeLabel: string;
  /** A date with or without a time (`lib/dateTimes`), '' when empty, or unfinished text. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A date, and beside it a time that may stay empty. An error is shown at the field that has it. */
export function DateTimeField({
  timeLabel,
  value,
  onChange,
  error,
  inputRef,
  ...props
}: DateTimeFieldProps) {
  const { date, time } = splitDateTime(value);
  const hasTimeError = isIsoDate(date) && time !== '' && !isTime(time);
  return (
    <>
      <DateField
        {...props}
        value={date}
        error={hasTimeError ? undefined : error}
        inputRef={inputRef}
        onChange={(newDate) => onChange(joinDateTime(newDate, time))}
      />
      <TimeField
        {...props}
        label={timeLabel}
        value={time}
        error={hasTimeError && error !== undefined ? messages.TIME_INVALID : undefined}
        onChange={(newTime) => onChange(joinDateTime(date, newTime))}
      />
    </>
  );
}
