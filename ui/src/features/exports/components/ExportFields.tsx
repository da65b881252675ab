import { Button } from '@blueprintjs/core';

import { useProfile } from '../../../api';
import { ChosenList } from '../../../components/ChosenList';
import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { limits, type ExportFormat } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { getLastDays } from '../../../lib/period';
import { catalogTestsQuery, isExactTest } from '../../catalog/api';
import { clientsQuery } from '../../clients/api';
import { statusMasks } from '../../orders/components/OrderFilters';
import type { ExportFilters } from '../api';
import { validateDays } from '../filters';
import styles from './exports.module.css';
import { FormatField } from './FormatField';

interface ExportFieldsProps {
  filters: ExportFilters;
  format: ExportFormat;
  onChange: (change: Partial<ExportFilters>) => void;
  onFormat: (format: ExportFormat) => void;
}

/** Adds an item to a list, once. */
const addItem = <Item extends { id: number }>(items: readonly Item[], item: Item | null) =>
  item === null || items.some(({ id }) => id === item.id) ? items : [...items, item];

const removeItem = <Item extends { id: number }>(items: readonly Item[], item: Item) =>
  items.filter(({ id }) => id !== item.id);

/** What to export: days, clients, tests, and status, and the format of the file. */
export function ExportFields({ filters, format, onChange, onFormat }: ExportFieldsProps) {
  const { clients, tests } = filters;
  // Somebody with one client has nothing to choose.
  const hasOneClient = useProfile().data.clients.length === 1;
  const { start, end } = validateDays(filters);
  return (
    <>
      <div className={styles['days']}>
        <DateField
          label="Start Date"
          required
          value={filters.startDate}
          error={start}
          onChange={(startDate) => onChange({ startDate })}
        />
        <DateField
          label="End Date"
          required
          value={filters.endDate}
          error={end}
          onChange={(endDate) => onChange({ endDate })}
        />
      </div>
      <div role="group" aria-label="Usual periods" className={styles['periods']}>
        {limits.PERIOD_DAYS.map((days) => (
          <Button
            key={days}
            size="small"
            onClick={() => onChange(getLastDays(days, { startDate: '', endDate: getToday() }))}
          >
            {days} days
          </Button>
        ))}
      </div>
      {hasOneClient ? null : (
        <div>
          <AsyncPicker
            label="Clients"
            placeholder={clients.length === 0 ? 'All clients' : 'Add a client'}
            value={null}
            addsToList
            query={clientsQuery}
            getItemKey={({ id }) => id}
            getItemText={({ name }) => name}
            onChange={(client) => onChange({ clients: addItem(clients, client) })}
          />
          {clients.length === 0 ? null : (
            <ChosenList
              label="Chosen clients"
              items={clients}
              getItemKey={({ id }) => id}
              getItemName={({ name }) => name}
              render={({ name }) => name}
              empty=""
              onRemove={(client) => onChange({ clients: removeItem(clients, client) })}
            />
          )}
        </div>
      )}
      <div>
        <AsyncPicker
          label="Tests"
          placeholder={tests.length === 0 ? 'All tests' : 'Add a test or panel'}
          value={null}
          addsToList
          query={catalogTestsQuery}
          isExact={isExactTest}
          getItemKey={({ id }) => id}
          getItemText={({ name }) => name}
          renderItem={({ code, name }) => (
            <>
              <span className="quiet">{code}</span> {name}
            </>
          )}
          onChange={(test) => onChange({ tests: addItem(tests, test) })}
        />
        {tests.length === 0 ? null : (
          <ChosenList
            label="Chosen tests"
            items={tests}
            getItemKey={({ id }) => id}
            getItemName={({ name }) => name}
            render={({ code, name }) => (
              <>
                <span className="quiet">{code}</span> {name}
              </>
            )}
            empty=""
            onRemove={(test) => onChange({ tests: removeItem(tests, test) })}
          />
        )}
      </div>
      <SelectField
        label="Status of the order"
        value={filters.status}
        options={statusMasks}
        onChange={(status) => onChange({ status })}
      />
      <FormatField value={format} onChange={onFormat} />
    </>
  );
}
