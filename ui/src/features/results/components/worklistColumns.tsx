import { Tag } from '@blueprintjs/core';

import type { GridColumn } from '../../../components/grid/types';
import { StatusTag } from '../../../components/StatusTag';
import { OrderStatus, Priority } from '../../../contract';
import { formatTimeSince } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import type { OrderRow } from '../../orders/api';
import { orderColumns } from '../../orders/components/orderColumns';

const URGENT: readonly string[] = [Priority.STAT, Priority.RUSH];
/** Columns for readers of results, which people who enter results do not need. */
const LEFT_OUT = ['signed', 'acknowledgedBy', 'acknowledgedAt'];

function renderPriority({ priority }: OrderRow) {
  if (!URGENT.includes(priority)) return <span className="quiet">{priority}</span>;
  return (
    <Tag intent={priority === Priority.STAT ? 'danger' : 'warning'} minimal>
      {priority}
    </Tag>
  );
}

const CLOSED: readonly number[] = [OrderStatus.FINAL, OrderStatus.CANCELED];

/** Whether a test of the order has no released result. Only the lab sees the progress of entry. */
const isOpen = ({ entry, status }: OrderRow): boolean =>
  entry === null ? !CLOSED.includes(status) : entry.open + entry.entered > 0;

/** Renders the progress of entry: ready to release, on hold, or how many tests are entered. */
function renderEntry(row: OrderRow) {
  const { entry } = row;
  if (entry === null || !isOpen(row)) return null;
  const total = entry.open + entry.entered;
  const progress = `${entry.entered} of ${total} entered`;
  if (entry.held > 0) {
    return (
      <span data-tip={`${entry.held} on hold, ${progress}`}>
        <StatusTag color="orange">ON HOLD</StatusTag>
      </span>
    );
  }
  if (entry.open === 0) {
    return (
      <span data-tip={`${progress}, not released`}>
        <StatusTag color="green">READY</StatusTag>
      </span>
    );
  }
  return <span className={entry.entered === 0 ? 'quiet' : undefined}>{progress}</span>;
}

/** The columns of the worklist: how urgent an order is, how long it waits, and its data. */
export const worklistColumns: readonly GridColumn<OrderRow>[] = [
  {
    id: 'priority',
    title: 'Priority',
    width: 138,
    rigid: true,
    cell: renderPriority,
    sort: 'priority',
    filter: 'priority',
    filterChoices: Object.values(Priority).map((value) => ({ value, label: value })),
    card: 'aside',
  },
  {
    id: 'age',
    title: 'Waiting',
    description: 'Time since the lab received the order',
    cardCell: (row) => (isOpen(row) ? `waiting ${formatTimeSince(row.orderDate)}` : null),
    width: 92,
    rigid: true,
    cell: (row) => (
      <span data-tip={`Received ${formatDateTime(row.orderDate)}`}>
        {isOpen(row) ? formatTimeSince(row.orderDate) : null}
      </span>
    ),
    sort: 'orderDate',
    card: 'aside',
  },
  {
    id: 'entry',
    title: 'Entry',
    description: 'How many of the tests that are not released have an entered result',
    width: 124,
    rigid: true,
    cell: renderEntry,
    card: 'aside',
  },
  ...orderColumns.filter(({ id }) => !LEFT_OUT.includes(id)),
];

/** The columns for people outside the lab, who do not see the progress of entry. */
export const clientWorklistColumns = worklistColumns.filter(({ id }) => id !== 'entry');
