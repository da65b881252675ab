import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import type { FieldProps } from '../../../components/fields/FormField';
import { formatDate } from '../../../lib/dates';
import { patientPickerQuery, type PatientMatch } from '../api';

const formatName = (patient: PatientMatch) => `${patient.lastName}, ${patient.firstName}`;

interface PatientPickerProps extends Omit<FieldProps, 'label'> {
  label?: string;
  value: PatientMatch | null;
  onChange: (patient: PatientMatch | null) => void;
}

/** The patient filter of search screens: type the last name, or 'last, first'. */
export function PatientPicker({ label = 'Patient', ...props }: PatientPickerProps) {
  return (
    <AsyncPicker
      {...props}
      label={label}
      upper
      placeholder="Last, First"
      query={patientPickerQuery}
      getItemKey={(patient) => patient.id}
      getItemText={formatName}
      renderItem={(patient) => (
        <>
          {formatName(patient)}{' '}
          <span className="quiet">
            {[formatDate(patient.birthDate), patient.code].filter(Boolean).join(' · ')}
          </span>
        </>
      )}
    />
  );
}
