import type { ReactElement } from 'react';
import type { FieldPathValue, UseFormReturn } from 'react-hook-form';

import { Bound, type BoundField } from '../../../../components/forms/Bound';
import type { FieldName, RequisitionValues } from '../../fields';
import { isLocked, labels, type Locks } from '../../form';

interface FormFieldProps<Name extends FieldName> {
  form: UseFormReturn<RequisitionValues>;
  locks: Locks;
  name: Name;
  children: (
    field: BoundField<FieldPathValue<RequisitionValues, Name>> & {
      label: string;
      disabled: boolean;
    },
  ) => ReactElement;
}

/**
 * A field of the requisition form with its label and lock: `{(field) => <TextField {...field} />}`.
 */
export function FormField<Name extends FieldName>(props: FormFieldProps<Name>) {
  const { form, locks, name, children } = props;
  const fieldProps = { label: labels[name], disabled: isLocked(name, locks) };
  return (
    <Bound control={form.control} name={name}>
      {(field) => children({ ...field, ...fieldProps })}
    </Bound>
  );
}
