import { firstPage, loadPage } from '../../../api';
import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import type { FieldProps } from '../../../components/fields/FormField';
import { formatDate } from '../../../lib/dates';
import { limits } from '../../../contract';

/** A patient in a list of matches. */
export interface PatientMatch {
  id: number;
  code: string;
  firstName: string;
  lastName: string;
  birthDate: string;
}

/** 'SMITH, JO' searches last and first name by their beginnings. */
async function searchPatients(search: string, signal: AbortSignal): Promise<PatientMatch[]> {
  const [lastName = '', firstName = ''] = search.split(',').map((part) => part.trim());
  const request = {
    ...firstPage,
    pageSize: limits.PICKER_PAGE_SIZE,
    sort: [{ column: 'lastName', descending: false }],
  };
  const filters = { lastName, firstName, fromSearch: true };
  const path = '/api/v2/patients/remote-operations';
  return (await loadPage<PatientMatch>(path, request, filters, signal)).data;
}

const nameOf = (patient: PatientMatch) => `${patient.lastName}, ${patient.firstName}`;

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
      queryKey={['patients']}
      load={searchPatients}
      itemKey={(patient) => patient.id}
      itemText={nameOf}
      renderItem={(patient) => (
        <>
          {nameOf(patient)}{' '}
          <span className="quiet number">
            {formatDate(patient.birthDate)} · {patient.code}
          </span>
        </>
      )}
    />
  );
}
