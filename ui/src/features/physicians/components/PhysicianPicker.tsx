import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import type { FieldProps } from '../../../components/fields/FormField';
import { physicianName, physiciansQuery, type PhysicianRow } from '../api';

interface PhysicianPickerProps extends Omit<FieldProps, 'label'> {
  label?: string;
  value: PhysicianRow | null;
  onChange: (physician: PhysicianRow | null) => void;
  onBlur?: () => void;
  /** Narrows the list to the physicians associated to this client. */
  clientId?: number | null;
}

/** Physicians by name or NPI. */
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
      itemKey={(physician) => physician.id}
      itemText={physicianName}
      renderItem={(physician) => (
        <>
          {physicianName(physician)} <span className="quiet number">NPI {physician.npi}</span>
        </>
      )}
    />
  );
}
