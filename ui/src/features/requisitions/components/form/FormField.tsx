import type { ReactElement } from 'react';
import type { FieldPathValue, UseFormReturn } from 'react-hook-form';

import { Bound, type BoundField } from '../../../../components/forms/Bound';
import type { FieldName, RequisitionValues } from '../../fields';
import { isLocked, labels, type Gates } from '../../form';

interface FormFieldProps<Name extends FieldName> {
  form: UseFormReturn<RequisitionValues>;
  gates: Gates;
  name: Name;
  children: (
    field: BoundField<FieldPathValue<RequisitionValues, Name>> & {
      label: string;
      disabled: boolean;
    },
  ) => ReactElement;
}

/** A field of the requisition form, with its label and its lock: `{(field) => <TextField {...field} />}`. */
export function FormField<Name extends FieldName>(props: FormFieldProps<Name>) {
  const { form, gates, name, children } = props;
  const own = { label: labels[name], disabled: isLocked(name, gates) };
  return (
    <Bound control={form.control} name={name}>
      {(field) => children({ ...field, ...own })}
    </Bound>
  );
}
