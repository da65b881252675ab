import type { ReactElement, Ref } from 'react';
import {
  useController,
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
} from 'react-hook-form';

import { afterPointer } from './afterPointer';

/** What a bound field hands to the component that draws it. */
export interface BoundField<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  // Each kind of input takes the ref of its own element.
  inputRef: Ref<never>;
  error: string | undefined;
}

interface BoundProps<Values extends FieldValues, Name extends FieldPath<Values>> {
  control: Control<Values>;
  name: Name;
  children: (field: BoundField<FieldPathValue<Values, Name>>) => ReactElement;
}

/** Ties one field of a form to any field component: `{(field) => <TextField {...field} .../>}`. */
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
    onBlur: () => afterPointer(field.onBlur),
    inputRef: field.ref,
    error: fieldState.error?.message,
  });
}
