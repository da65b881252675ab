import { Checkbox } from '@blueprintjs/core';

import { useHasRole } from '../../../api';
import { SearchPanel } from '../../../components/SearchPanel';
import { DateField } from '../../../components/fields/DateField';
import { RadioField } from '../../../components/fields/SelectField';
import { periodErrors } from '../../../lib/period';
import { OrderStatus, Role } from '../../../contract';
import type { ClientRow, UnitRow } from '../../clients/api';
import { ClientPicker, UnitPicker } from '../../clients/components/ClientPicker';
import { PatientPicker, type PatientMatch } from '../../patients/components/PatientPicker';
import styles from './orders.module.css';

export interface OrderSearchValues {
  startDate: string;
  endDate: string;
  client: ClientRow | null;
  unit: UnitRow | null;
  patient: PatientMatch | null;
  status: string;
  alerts: boolean;
}

/** The radios of R 2.1, each a mask of the states that show under its name (R 4). */
export const statusMasks = [
  { value: String(OrderStatus.PENDING | OrderStatus.UNRELEASED), label: 'Pending' },
  {
    value: String(OrderStatus.PARTIAL | OrderStatus.PARTIALLY_RELEASED | OrderStatus.PRELIMINARY),
    label: 'Partial',
  },
  { value: String(OrderStatus.FINAL), label: 'Final' },
  { value: String(OrderStatus.ALL), label: 'All' },
];

interface OrderFiltersProps {
  label: string;
  values: OrderSearchValues;
  onChange: (change: Partial<OrderSearchValues>) => void;
  onSubmit: () => void;
  onClear: () => void;
}

/** The filters above the order grids (R 2.1). */
export function OrderFilters({ label, values, onChange, onSubmit, onClear }: OrderFiltersProps) {
  const limited = useHasRole(Role.PHYSICIAN, Role.PATIENT);
  const isPatient = useHasRole(Role.PATIENT);

  const { start, end, invalid } = periodErrors(values.startDate, values.endDate);

  return (
    <SearchPanel
      label={label}
      invalid={invalid}
      onSubmit={() => {
        onSubmit();
        return true;
      }}
      clearLabel="Clear all"
      onClear={onClear}
    >
      <RadioField
        label="Order Status"
        value={values.status}
        options={statusMasks}
        onChange={(status) => onChange({ status })}
      />
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
      <Checkbox
        className={styles['check']}
        label="Alert Results"
        checked={values.alerts}
        onChange={(event) => onChange({ alerts: event.currentTarget.checked })}
      />
    </SearchPanel>
  );
}
