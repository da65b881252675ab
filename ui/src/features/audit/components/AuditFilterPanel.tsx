import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { FilterChip, ToggleChip } from '../../../components/filters/FilterChip';
import { SearchPanel } from '../../../components/SearchPanel';
import { AuditGroup, AuditGroupLabels, AuditOutcome, AuditOutcomeLabels } from '../../../contract';
import { formatDate, getToday } from '../../../lib/dates';
import { validatePeriod } from '../../../lib/period';
import { PatientPicker } from '../../patients/components/PatientPicker';
import { peopleQuery, type AuditFilters } from '../api';

interface AuditFilterPanelProps {
  values: AuditFilters;
  change: (change: Partial<AuditFilters>) => void;
  apply: (change: Partial<AuditFilters>) => void;
  submit: () => boolean;
  clear: () => void;
  isOutdated: boolean;
}

const ANY = 'Any';
const CODE_MAX = 20;
const groups = Object.values(AuditGroup).map((value) => ({
  value,
  label: AuditGroupLabels[value] ?? value,
}));
const outcomes = Object.values(AuditOutcome).map((value) => ({
  value,
  label: AuditOutcomeLabels[value] ?? value,
}));

/** The filters above the audit log. */
export function AuditFilterPanel(props: AuditFilterPanelProps) {
  const { values, change, apply } = props;
  const { user, group, outcome, patient, code, upkeep } = values;
  const { start, end, invalid } = validatePeriod(values.startDate, values.endDate);
  const today = getToday();
  const isToday = values.startDate === today && values.endDate === today;
  const period = [values.startDate, values.endDate].map((day) => formatDate(day || today));
  return (
    <SearchPanel
      label="Audit log search"
      invalid={invalid}
      isOutdated={props.isOutdated}
      onSubmit={props.submit}
      clearLabel="Clear"
      onClear={props.clear}
      filterCount={
        [user, group, outcome, patient, code, upkeep].filter(Boolean).length + (isToday ? 0 : 1)
      }
    >
      <FilterChip
        label="Period"
        value={period[0] === period[1] ? (period[0] ?? '') : period.join(' – ')}
        isSet={!isToday}
        isInvalid={invalid}
      >
        <DateField
          label="Start Date"
          value={values.startDate}
          error={start}
          onChange={(startDate) => change({ startDate })}
        />
        <DateField
          label="End Date"
          value={values.endDate}
          error={end}
          onChange={(endDate) => change({ endDate })}
        />
      </FilterChip>
      <FilterChip
        label="Person"
        value={user?.name ?? ANY}
        isSet={user !== null}
        closesOnChange
        opensList
      >
        <AsyncPicker
          label="Person"
          value={user}
          onChange={(next) => apply({ user: next })}
          query={peopleQuery}
          getItemKey={({ id }) => id}
          getItemText={({ name }) => name}
          placeholder="Last name"
          upper
        />
      </FilterChip>
      <FilterChip
        label="What"
        value={group === '' ? ANY : (AuditGroupLabels[group] ?? group)}
        isSet={group !== ''}
        closesOnChange
      >
        <SelectField
          label="What"
          value={group}
          placeholder={ANY}
          options={groups}
          onChange={(next) => apply({ group: next as AuditFilters['group'] })}
        />
      </FilterChip>
      <FilterChip
        label="Patient"
        value={patient?.name ?? ANY}
        isSet={patient !== null}
        closesOnChange
      >
        <PatientPicker
          value={null}
          onChange={(next) =>
            apply({ patient: next && { id: next.id, name: `${next.lastName}, ${next.firstName}` } })
          }
        />
      </FilterChip>
      <FilterChip label="Requisition or order" value={code || ANY} isSet={code !== ''}>
        <TextField
          label="Requisition or order"
          value={code}
          maxLength={CODE_MAX}
          onChange={(next) => change({ code: next.trim().toUpperCase() })}
        />
      </FilterChip>
      <FilterChip
        label="Outcome"
        value={outcome === '' ? ANY : (AuditOutcomeLabels[outcome] ?? outcome)}
        isSet={outcome !== ''}
        closesOnChange
      >
        <SelectField
          label="Outcome"
          value={outcome}
          placeholder={ANY}
          options={outcomes}
          onChange={(next) => apply({ outcome: next as AuditFilters['outcome'] })}
        />
      </FilterChip>
      <ToggleChip
        label="Show continued sessions"
        checked={upkeep}
        onChange={(next) => apply({ upkeep: next })}
      />
    </SearchPanel>
  );
}
