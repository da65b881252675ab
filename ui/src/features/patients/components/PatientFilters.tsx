import { SearchPanel } from '../../../components/SearchPanel';
import { FilterChip } from '../../../components/filters/FilterChip';
import { DateField } from '../../../components/fields/DateField';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { limits, messages } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { masks } from '../../../lib/mask';
import type { ClientRow } from '../../clients/api';
import { ClientPicker } from '../../clients/components/ClientPicker';
import type { PatientSearch } from '../api';
import { validateBirthDate } from '../birthDate';
import styles from './patientForm.module.css';

const SSN_DIGITS = 9;

export type PatientFilterValues = PatientSearch & { client: ClientRow | null };

/** Returns the messages of fields that prevent a search; no field is required (O 5). */
const validateFilters = ({ birthDate, ssn }: PatientFilterValues) => ({
  birthDate: birthDate === '' ? null : validateBirthDate(birthDate),
  ssn: ssn === '' || ssn.length === SSN_DIGITS ? null : messages.SSN_INVALID,
});

export const isSearchable = (values: PatientFilterValues): boolean =>
  Object.values(validateFilters(values)).every((message) => message === null);

interface PatientFiltersProps {
  search: {
    values: PatientFilterValues;
    change: (change: Partial<PatientFilterValues>) => void;
    apply: (change: Partial<PatientFilterValues>) => void;
    submit: () => boolean;
    isOutdated: boolean;
    clear: () => void;
  };
}

/** The filters above the grid of patients. */
export function PatientFilters({ search }: PatientFiltersProps) {
  const { values, change, apply, submit, clear, isOutdated } = search;
  const errors = validateFilters(values);
  return (
    <SearchPanel
      label="Patient search"
      invalid={!isSearchable(values)}
      isOutdated={isOutdated}
      onSubmit={submit}
      clearLabel="Clear"
      hasFields
      onClear={clear}
    >
      <TextField
        label="Last Name"
        className={styles['filter']}
        upper
        value={values.lastName}
        onChange={(lastName) => change({ lastName })}
      />
      <TextField
        label="First Name"
        className={styles['filter']}
        upper
        value={values.firstName}
        onChange={(firstName) => change({ firstName })}
      />
      <DateField
        label="DOB"
        className={styles['filter']}
        min={limits.EARLIEST_BIRTH_DATE}
        max={getToday()}
        value={values.birthDate}
        error={errors.birthDate ?? undefined}
        onChange={(birthDate) => change({ birthDate })}
      />
      <MaskedField
        label="SSN"
        className={styles['filter']}
        mask={masks.ssn}
        value={values.ssn}
        error={errors.ssn ?? undefined}
        onChange={(ssn) => change({ ssn })}
      />
      <FilterChip
        label="Client"
        value={values.client?.name ?? 'Any'}
        isSet={values.client !== null}
        isAny={values.client === null}
        closesOnChange
        opensList
      >
        <ClientPicker value={values.client} onChange={(client) => apply({ client })} />
      </FilterChip>
    </SearchPanel>
  );
}
