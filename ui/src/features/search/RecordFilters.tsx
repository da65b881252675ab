import type { ReactNode } from 'react';

import { useHasRole } from '../../api';
import { DateField } from '../../components/fields/DateField';
import { SearchPanel } from '../../components/SearchPanel';
import { Role } from '../../contract';
import { validatePeriod } from '../../lib/period';
import { ClientPicker, UnitPicker } from '../clients/components/ClientPicker';
import { PatientFilter } from '../patients/components/PatientFilter';
import styles from './recordFilters.module.css';
import type { RecordFilterValues } from './useRecordSearch';

interface RecordFiltersProps {
  /** What is searched, for assistive technology: 'Requisition search'. */
  label: string;
  search: {
    values: RecordFilterValues;
    change: (change: Partial<RecordFilterValues>) => void;
    submit: () => boolean;
    clear: () => void;
  };
  clearLabel?: string;
  /** The list's own fields, before the dates. */
  before?: ReactNode;
  /** The list's own fields, after the patient. */
  children?: ReactNode;
}

/** The filters above a grid of records: dates, client, unit and patient, and the list's own. */
export function RecordFilters({ label, search, clearLabel = 'Clear', ...own }: RecordFiltersProps) {
  // Physicians and patients have no clients to choose from.
  const hasNoClients = useHasRole(Role.PHYSICIAN, Role.PATIENT);
  const isPatient = useHasRole(Role.PATIENT);
  const { values, change, submit, clear } = search;
  const { start, end, invalid } = validatePeriod(values.startDate, values.endDate);
  return (
    <SearchPanel
      label={label}
      invalid={invalid}
      onSubmit={submit}
      clearLabel={clearLabel}
      onClear={clear}
    >
      {own.before}
      <DateField
        label="Start Date"
        className={styles['date']}
        required
        value={values.startDate}
        error={start}
        onChange={(startDate) => change({ startDate })}
      />
      <DateField
        label="End Date"
        className={styles['date']}
        required
        value={values.endDate}
        error={end}
        onChange={(endDate) => change({ endDate })}
      />
      {hasNoClients ? null : (
        <>
          <ClientPicker
            className={styles['wide']}
            value={values.client}
            onChange={(client) => change({ client, unit: null })}
          />
          <UnitPicker
            className={styles['date']}
            clientId={values.client?.id ?? null}
            value={values.unit}
            onChange={(unit) => change({ unit })}
          />
        </>
      )}
      {isPatient ? null : (
        <PatientFilter
          className={styles['wide']}
          value={values.patient}
          onChange={(patient) => change({ patient })}
        />
      )}
      {own.children}
    </SearchPanel>
  );
}
