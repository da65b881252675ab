import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useProfile } from '../../../api';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { SearchIcon } from '../../../components/icons';
import { limits, messages, Role } from '../../../contract';
import { isIsoDate } from '../../../lib/dates';
import { clientsWithResultsQuery, type CumulativeSearch } from './api';
import styles from './cumulative.module.css';

interface CumulativeSettingsProps {
  orderId: number;
  search: CumulativeSearch;
  onSearch: (search: CumulativeSearch) => void;
}

const OWN_CLIENTS: readonly Role[] = [Role.CLIENT_ADMIN, Role.CLIENT_BASIC];

const validateDay = (day: string, requiredMessage: string): string | undefined => {
  if (day === '') return requiredMessage;
  return isIsoDate(day) ? undefined : messages.DATE_INVALID;
};

/** What is searched for: client, dates, and the number of orders (R 2.3, R 9). */
export function CumulativeSettings({ orderId, search, onSearch }: CumulativeSettingsProps) {
  const { role } = useProfile();
  const [values, setValues] = useState({
    startDate: search.startDate,
    endDate: search.endDate,
    records: String(search.records),
    clientId: search.clientId === null ? '' : String(search.clientId),
  });
  const change = (newValues: Partial<typeof values>) => setValues({ ...values, ...newValues });
  const { startDate, endDate, records, clientId } = values;
  const areDates = isIsoDate(startDate) && isIsoDate(endDate);
  const isReversed = areDates && endDate < startDate;
  const endDateError = isReversed
    ? messages.END_DATE_BEFORE_START
    : validateDay(endDate, messages.END_DATE_REQUIRED);
  const isCount = /^\d+$/.test(records);
  const isValid = areDates && !isReversed && isCount;
  const clients = useQuery({
    ...clientsWithResultsQuery(orderId, { startDate, endDate, physicianIds: search.physicianIds }),
    enabled: areDates && !isReversed,
  });
  const options = (clients.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  // A client without results in the new period stays chosen, and is shown as such.
  const isUnlisted = clientId !== '' && !options.some(({ value }) => value === clientId);
  return (
    <form
      className={styles['settings']}
      aria-label="Cumulative results settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isValid) return;
        onSearch({
          ...search,
          startDate,
          endDate,
          // A larger number finds the same: the portal's own limit applies.
          records: Math.min(Number(records), limits.CUMULATIVE_RECORDS_MAX),
          clientId: clientId === '' ? null : Number(clientId),
        });
      }}
    >
      <SelectField
        className={styles['client']}
        label="Client"
        value={clientId}
        onChange={(id) => change({ clientId: id })}
        placeholder="All"
        options={
          isUnlisted
            ? [...options, { value: clientId, label: 'No results in this period' }]
            : options
        }
        helperText={OWN_CLIENTS.includes(role) ? messages.CUMULATIVE_OWN_CLIENTS : undefined}
      />
      <DateField
        className={styles['day']}
        label="Start Date"
        required
        value={startDate}
        error={validateDay(startDate, messages.START_DATE_REQUIRED)}
        onChange={(day) => change({ startDate: day })}
      />
      <DateField
        className={styles['day']}
        label="End Date"
        required
        value={endDate}
        error={endDateError}
        onChange={(day) => change({ endDate: day })}
      />
      <TextField
        className={styles['records']}
        label="Records"
        inputMode="numeric"
        value={records}
        error={isCount ? undefined : messages.CUMULATIVE_RECORDS_INVALID}
        helperText="0 shows all"
        onChange={(count) => change({ records: count.trim() })}
      />
      <Button
        type="submit"
        className={styles['search'] ?? ''}
        intent="primary"
        icon={<SearchIcon />}
        disabled={!isValid}
      >
        Search
      </Button>
    </form>
  );
}
