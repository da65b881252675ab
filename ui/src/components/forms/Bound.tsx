import type { ReactElement, Ref } from 'react';
import {
  useController,
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
} from 'react-hook-form';

import { runAfterClick } from './runAfterClick';

/** What a bound field passes to its component. */
export interface BoundField<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  // Each kind of input accepts the ref of its own element.
  inputRef: Ref<never>;
  error: string | undefined;
}

interface BoundProps<Values extends FieldValues, Name extends FieldPath<Values>> {
  control: Control<Values>;
  name: Name;
  children: (field: BoundField<FieldPathValue<Values, Name>>) => ReactElement;
}

/** Connects one form field to a field component: `{(field) => <TextField {...field} .../>}`. */
export function Bound<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  children,
}: BoundProps<Values, Name>) {
  const { field, fieldState } = useController({ control, name });
  return children({
    name: field.name,
    value: field.value,
    onChange: field.onChange,
    onBlur: () => runAfterClick(field.onBlur),
    inputRef: field.ref,
    error: fieldState.error?.message,
  });
}
