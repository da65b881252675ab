import {
  applyMask,
  MaskedField,
  masks,
  type BoundField,
  type FieldProps,
} from '../../../components';

/** Three digits that begin with no hour of two: '905', shown as '90:5'. */
const ONE_DIGIT_HOUR = /^(2[4-9]|[3-9]\d):\d$/;

/** '905' is five past nine; '103' is not guessed at. */
const finished = (typed: string): string =>
  ONE_DIGIT_HOUR.test(typed) ? applyMask(`0${typed}`, masks.time) : typed;

/**
 * A time of day, typed as HH:MM like dates are typed. What is unfinished is seen and refused; the
 * browser's own field would show it and answer nothing.
 */
export function TimeField({
  onChange,
  onBlur,
  ...props
}: FieldProps & Omit<BoundField<string>, 'error'>) {
  return (
    <MaskedField
      {...props}
      mask={masks.time}
      placeholder="HH:MM"
      onChange={(digits) => onChange(applyMask(digits, masks.time))}
      onBlur={() => {
        onChange(finished(props.value));
        onBlur();
      }}
    />
  );
}
