import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import { useHasRole } from '../../api';
import { DateField } from '../../components/fields/DateField';
import { FilterChip } from '../../components/filters/FilterChip';
import { SearchPanel } from '../../components/SearchPanel';
import { limits, Role } from '../../contract';
import { getToday } from '../../lib/dates';
import { formatPeriod, getLastDays, validatePeriod, type Period } from '../../lib/period';
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
    apply: (change: Partial<RecordFilterValues>) => void;
    submit: () => boolean;
    clear: () => void;
    isOutdated: boolean;
    isDefaultPeriod: boolean;
  };
  clearLabel?: string;
  /** The number of the list's own filters that are set. */
  ownFilterCount?: number;
  /** The list's own filters, before the dates. */
  before?: ReactNode;
  /** The list's own filters, after the patient. */
  children?: ReactNode;
}

const ANY = 'Any';

/** The filters above a grid of records: dates, client, unit and patient, and the list's own. */
export function RecordFilters({ label, search, clearLabel = 'Clear', ...own }: RecordFiltersProps) {
  // Physicians and patients have no clients to choose from.
  const hasNoClients = useHasRole(Role.PHYSICIAN, Role.PATIENT);
  const isPatient = useHasRole(Role.PATIENT);
  const { values, apply, submit, clear, isDefaultPeriod } = search;
  const { client, unit, patient } = values;
  const { invalid } = validatePeriod(values.startDate, values.endDate);
  const setFilters = [client, unit, patient, isDefaultPeriod ? null : 'period'].filter(Boolean);
  return (
    <SearchPanel
      label={label}
      invalid={invalid}
      isOutdated={search.isOutdated}
      onSubmit={submit}
      clearLabel={clearLabel}
      onClear={clear}
      filterCount={setFilters.length + (own.ownFilterCount ?? 0)}
    >
      {own.before}
      <FilterChip
        label="Collected"
        value={formatPeriod(values)}
        isSelfExplanatory
        isSet={!isDefaultPeriod}
        isInvalid={invalid}
      >
        {(close) => <PeriodFields search={search} onChosen={close} />}
      </FilterChip>
      {hasNoClients ? null : (
        <>
          <FilterChip
            label="Client"
            value={client?.name ?? ANY}
            isSet={client !== null}
            isAny={client === null}
            closesOnChange
            opensList
          >
            <ClientPicker value={client} onChange={(next) => apply({ client: next, unit: null })} />
          </FilterChip>
          <FilterChip
            label="Unit"
            value={unit?.name ?? ANY}
            isSet={unit !== null}
            isAny={unit === null}
            closesOnChange
            opensList={client !== null}
          >
            <UnitPicker
              clientId={client?.id ?? null}
              value={unit}
              onChange={(next) => apply({ unit: next })}
            />
            {client === null ? <div className="quiet">Choose a client first.</div> : null}
          </FilterChip>
        </>
      )}
      {isPatient ? null : (
        <FilterChip
          label="Patient"
          value={patient ? `${patient.lastName}, ${patient.firstName}` : ANY}
          isSet={patient !== null}
          isAny={patient === null}
          closesOnChange
        >
          <PatientFilter value={patient} onChange={(next) => apply({ patient: next })} />
        </FilterChip>
      )}
      {own.children}
    </SearchPanel>
  );
}

/** The days of a search: typed, or one of the usual periods. */
function PeriodFields({
  search,
  onChosen,
}: Pick<RecordFiltersProps, 'search'> & { onChosen: () => void }) {
  const { values, change, apply } = search;
  const { start, end } = validatePeriod(values.startDate, values.endDate);
  const now = { startDate: getToday(), endDate: getToday() };
  const choose = (period: Period) => {
    apply(period);
    onChosen();
  };
  return (
    <>
      <div className={styles['days']}>
        <DateField
          label="Start Date"
          required
          value={values.startDate}
          error={start}
          onChange={(startDate) => change({ startDate })}
        />
        <DateField
          label="End Date"
          required
          value={values.endDate}
          error={end}
          onChange={(endDate) => change({ endDate })}
        />
      </div>
      <div role="group" aria-label="Usual periods" className={styles['periods']}>
        <Button size="small" onClick={() => choose(now)}>
          Today
        </Button>
        {limits.PERIOD_DAYS.map((days) => (
          <Button key={days} size="small" onClick={() => choose(getLastDays(days, now))}>
            {days} days
          </Button>
        ))}
      </div>
    </>
  );
}
