import type { Ref } from 'react';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import type { FieldProps } from '../../../components/fields/FormField';
import { formatPhysician, physiciansQuery, type PhysicianRow } from '../api';

interface PhysicianPickerProps extends Omit<FieldProps, 'label'> {
  label?: string;
  value: PhysicianRow | null;
  onChange: (physician: PhysicianRow | null) => void;
  onBlur?: () => void;
  inputRef?: Ref<never> | undefined;
  /** Limits the list to the physicians associated with this client. */
  clientId?: number | null;
}

/** Chooses a physician by name or NPI. */
export function PhysicianPicker({
  label = 'Physician',
  clientId = null,
  ...props
}: PhysicianPickerProps) {
  return (
    <AsyncPicker
      {...props}
      label={label}
      placeholder="Last name, first name or NPI"
      query={(search) => physiciansQuery(search, clientId)}
      getItemKey={(physician) => physician.id}
      getItemText={formatPhysician}
      renderItem={(physician) => (
        <>
          {formatPhysician(physician)} <span className="quiet">NPI {physician.npi}</span>
        </>
      )}
    />
  );
}
