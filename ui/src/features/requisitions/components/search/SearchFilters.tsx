import { useHasRole } from '../../../../api';
import { SearchPanel } from '../../../../components/SearchPanel';
import { DateField } from '../../../../components/fields/DateField';
import { RadioField } from '../../../../components/fields/SelectField';
import { periodErrors } from '../../../../lib/period';
import { RequisitionStatus, Role, SignatureFilter } from '../../../../contract';
import type { ClientRow, UnitRow } from '../../../clients/api';
import { ClientPicker, UnitPicker } from '../../../clients/components/ClientPicker';
import { PatientPicker, type PatientMatch } from '../../../patients/components/PatientPicker';
import styles from './SearchFilters.module.css';

export interface SearchValues {
  startDate: string;
  endDate: string;
  client: ClientRow | null;
  unit: UnitRow | null;
  patient: PatientMatch | null;
  status: string;
  signature: string;
}

const statuses = [
  { value: String(RequisitionStatus.PENDING), label: 'Pending' },
  { value: String(RequisitionStatus.DONE), label: 'Done' },
  { value: String(RequisitionStatus.ALL), label: 'All' },
];

const signatures = [
  { value: SignatureFilter.SIGNED, label: 'Signed' },
  { value: SignatureFilter.NOT_SIGNED, label: 'Not Signed' },
  { value: SignatureFilter.ALL, label: 'All' },
];

interface SearchFiltersProps {
  values: SearchValues;
  onChange: (change: Partial<SearchValues>) => void;
  /** Answers whether the values can be searched for. */
  onSubmit: () => boolean;
  onClear: () => void;
}

/** The filters above the requisition grid (O 2.2). */
export function SearchFilters({ values, onChange, onSubmit, onClear }: SearchFiltersProps) {
  const limited = useHasRole(Role.PHYSICIAN, Role.PATIENT);
  const isPatient = useHasRole(Role.PATIENT);
  const { start, end, invalid } = periodErrors(values.startDate, values.endDate);

  return (
    <SearchPanel
      label="Requisition search"
      invalid={invalid}
      onSubmit={onSubmit}
      clearLabel="Clear"
      onClear={onClear}
    >
      <DateField
        label="Start Date"
        className={styles['date']}
        required
        value={values.startDate}
        error={start}
        onChange={(startDate) => onChange({ startDate })}
      />
      <DateField
        label="End Date"
        className={styles['date']}
        required
        value={values.endDate}
        error={end}
        onChange={(endDate) => onChange({ endDate })}
      />
      {limited ? null : (
        <>
          <ClientPicker
            className={styles['wide']}
            value={values.client}
            onChange={(client) => onChange({ client, unit: null })}
          />
          <UnitPicker
            className={styles['date']}
            clientId={values.client?.id ?? null}
            value={values.unit}
            onChange={(unit) => onChange({ unit })}
          />
        </>
      )}
      {isPatient ? null : (
        <PatientPicker
          className={styles['wide']}
          value={values.patient}
          onChange={(patient) => onChange({ patient })}
        />
      )}
      <div className={styles['radios']}>
        <RadioField
          label="Status"
          value={values.status}
          options={statuses}
          onChange={(status) => onChange({ status })}
        />
        <RadioField
          label="Signature"
          value={values.signature}
          options={signatures}
          onChange={(signature) => onChange({ signature })}
        />
      </div>
    </SearchPanel>
  );
}
