import { Checkbox } from '@blueprintjs/core';

import { RadioField } from '../../../components/fields/SelectField';
import { limits, OrderStatus } from '../../../contract';
import { RecordFilters } from '../../search/RecordFilters';
import type { RecordSearch, SearchOfRecords } from '../../search/useRecordSearch';
import { LIST_PATH, type OrderRow } from '../api';
import styles from './orders.module.css';

interface OwnFilters {
  status: string;
  alerts: boolean;
}

/** The radio buttons of R 2.1, each a mask of the statuses shown under its name (R 4). */
export const statusMasks = [
  { value: String(OrderStatus.PENDING | OrderStatus.UNRELEASED), label: 'Pending' },
  {
    value: String(OrderStatus.PARTIAL | OrderStatus.PARTIALLY_RELEASED | OrderStatus.PRELIMINARY),
    label: 'Partial',
  },
  { value: String(OrderStatus.FINAL), label: 'Final' },
  { value: String(OrderStatus.ALL), label: 'All' },
];

/** Defines a search of orders; `name` identifies the preferences of its grid. */
export const defineOrderSearch = (
  name: string,
  status: string,
  firstDay?: () => string,
): RecordSearch<OrderRow, OwnFilters> => ({
  name,
  path: LIST_PATH,
  live: { kind: 'order', path: '/api/v2/orders/ids' },
  delayMs: limits.ORDER_FILTER_DELAY_MS,
  ...(firstDay && { firstDay }),
  ownDefaults: { status, alerts: false },
  toOwnQuery: (own) => ({ status: own.status, alertResults: own.alerts ? true : null }),
  readOwn: (parameters) =>
    statusMasks.some(({ value }) => value === parameters['status'])
      ? { status: parameters['status'] }
      : {},
  rowId: (row) => row.id,
});

interface OrderFiltersProps {
  label: string;
  search: SearchOfRecords<OrderRow, OwnFilters>;
}

/** The filters above the order grids (R 2.1). */
export function OrderFilters({ label, search }: OrderFiltersProps) {
  const { values, change } = search;
  return (
    <RecordFilters
      label={label}
      search={search}
      clearLabel="Clear all"
      before={
        <RadioField
          label="Order Status"
          value={values.status}
          options={statusMasks}
          onChange={(status) => change({ status })}
        />
      }
    >
      <Checkbox
        className={styles['check']}
        label="Alert Results"
        checked={values.alerts}
        onChange={(event) => change({ alerts: event.currentTarget.checked })}
      />
    </RecordFilters>
  );
}
