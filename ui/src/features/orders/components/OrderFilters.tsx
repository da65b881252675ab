import type { ReactNode } from 'react';

import { useProfile } from '../../../api';
import { ToggleChip } from '../../../components/filters/FilterChip';
import { SegmentField } from '../../../components/filters/SegmentField';
import { mayEver, OrderStatus } from '../../../contract';
import { addCounts } from '../../search/api';
import { RecordFilters } from '../../search/RecordFilters';
import type { RecordSearch, SearchDefinition } from '../../search/useRecordSearch';
import { UNREAD_FILTERS, useUnreadFilter, type UnreadFilter } from '../acknowledging';
import { LIST_PATH, type OrderRow } from '../api';

export interface OrderOwnFilters {
  status: string;
  alerts: boolean;
  /** Whether a link to alert results opened the search, which then offers no Pending (R 2.1). */
  fromAlerts: boolean;
  missing: boolean;
  unread: UnreadFilter | null;
  recollect: boolean;
}

const ALL_STATUSES = String(OrderStatus.ALL);

/** The radio buttons of R 2.1, each a mask of the statuses shown under its name (R 4). */
export const statusMasks = [
  { value: String(OrderStatus.PENDING | OrderStatus.UNRELEASED), label: 'Pending' },
  {
    value: String(OrderStatus.PARTIAL | OrderStatus.PARTIALLY_RELEASED | OrderStatus.PRELIMINARY),
    label: 'Partial',
  },
  { value: String(OrderStatus.FINAL), label: 'Final' },
  { value: ALL_STATUSES, label: 'All' },
];

/** The choices of a search that was opened from alerts: a pending order has no results. */
const alertMasks = statusMasks.filter(({ label }) => label !== 'Pending');

/**
 * Reads the status of a link. A link to alert results that asks for a status which this search does
 * not offer shows and searches for all (R 2.1).
 */
const readStatus = (
  parameters: Readonly<Record<string, string>>,
  isFromAlerts: boolean,
): Partial<OrderOwnFilters> => {
  const masks = isFromAlerts ? alertMasks : statusMasks;
  const mask = masks.find(({ value }) => value === parameters['status']);
  if (mask) return { status: mask.value };
  return isFromAlerts ? { status: ALL_STATUSES } : {};
};

const readUnread = (parameters: Readonly<Record<string, string>>): Partial<OrderOwnFilters> => {
  const unread = UNREAD_FILTERS.find((name) => parameters[name] === 'true');
  return unread ? { unread } : {};
};

/** Defines a search of orders; `name` identifies the preferences of its grid. */
export const defineOrderSearch = (
  name: string,
  status: string,
  getFirstDay?: () => string,
): SearchDefinition<OrderRow, OrderOwnFilters> => ({
  name,
  path: LIST_PATH,
  countsPath: '/api/v2/orders/status-counts',
  live: { kind: 'order', path: '/api/v2/orders/ids', mayKeepVersion: true },
  ...(getFirstDay && { getFirstDay }),
  ownDefaults: {
    status,
    alerts: false,
    fromAlerts: false,
    missing: false,
    unread: null,
    recollect: false,
  },
  toOwnQuery: (own) => ({
    status: own.status,
    alertResults: own.alerts ? true : null,
    missingInfo: own.missing ? true : null,
    ...(own.unread && { [own.unread]: true }),
    awaitsCollection: own.recollect ? true : null,
  }),
  describeOwn: ({ status: shownStatus, alerts, missing, unread, recollect }) => [
    ...statusMasks
      .filter(({ value }) => value === shownStatus && value !== ALL_STATUSES)
      .map(({ label }) => ({ name: 'Status', value: label, change: { status: ALL_STATUSES } })),
    ...(alerts ? [{ name: 'Alert', value: 'Results', change: { alerts: false } }] : []),
    ...(missing ? [{ name: 'Missing', value: 'Information', change: { missing: false } }] : []),
    ...(unread ? [{ name: 'Unread', value: 'Results', change: { unread: null } }] : []),
    ...(recollect ? [{ name: 'Recollect', value: 'Yes', change: { recollect: false } }] : []),
  ],
  readOwn: (parameters) => {
    const isFromAlerts = parameters['alertResults'] === 'true';
    return {
      ...readStatus(parameters, isFromAlerts),
      ...(isFromAlerts ? { alerts: true, fromAlerts: true } : {}),
      ...readUnread(parameters),
      ...(parameters['awaitsCollection'] === 'true' ? { recollect: true } : {}),
    };
  },
  getRowId: (row) => row.id,
});

interface OrderFiltersProps {
  label: string;
  search: RecordSearch<OrderRow, OrderOwnFilters>;
  /** The number of filters in `children` that are set. */
  ownFilterCount?: number;
  /** Whether to leave out the filters that result entry does not need. */
  isForEntry?: boolean;
  /** Filters of the screen, before those of all order grids. */
  children?: ReactNode;
}

/** The filters above the order grids (R 2.1). */
export function OrderFilters({ label, search, ownFilterCount = 0, ...props }: OrderFiltersProps) {
  const { values, apply, statusCounts } = search;
  const { role } = useProfile();
  const unreadFilter = useUnreadFilter();
  return (
    <RecordFilters
      label={label}
      search={search}
      clearLabel="Clear all"
      ownFilterCount={
        ownFilterCount +
        [values.alerts, values.missing, values.unread, values.recollect].filter(Boolean).length
      }
      before={
        <SegmentField
          label="Order Status"
          value={values.status}
          options={addCounts(values.fromAlerts ? alertMasks : statusMasks, statusCounts)}
          onChange={(status) => apply({ status })}
        />
      }
    >
      {props.children}
      <ToggleChip
        label="Alert Results"
        checked={values.alerts}
        onChange={(alerts) => apply({ alerts })}
      />
      {mayEver('completeOrder', role) && !props.isForEntry ? (
        <ToggleChip
          label="Missing Information"
          checked={values.missing}
          onChange={(missing) => apply({ missing })}
        />
      ) : null}
      {mayEver('acknowledgeOrder', role) || values.unread !== null ? (
        <ToggleChip
          label="Unread Results"
          checked={values.unread !== null}
          onChange={(isUnread) => apply({ unread: isUnread ? unreadFilter : null })}
        />
      ) : null}
      <ToggleChip
        label="Recollect"
        checked={values.recollect}
        onChange={(recollect) => apply({ recollect })}
      />
    </RecordFilters>
  );
}
