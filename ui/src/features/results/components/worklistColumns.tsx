import { Tag } from '@blueprintjs/core';

import type { GridColumn } from '../../../components/grid/types';
import { Priority } from '../../../contract';
import { formatDateTime, formatTimeSince } from '../../../lib/dates';
import type { OrderRow } from '../../orders/api';
import { orderColumns } from '../../orders/components/orderColumns';

const URGENT: readonly string[] = [Priority.STAT, Priority.RUSH];
/** What concerns readers of results, and not those who enter them. */
const LEFT_OUT = ['signed', 'acknowledgedBy', 'acknowledgedAt'];

function renderPriority({ priority }: OrderRow) {
  if (!URGENT.includes(priority)) return <span className="quiet">{priority}</span>;
  return (
    <Tag intent={priority === Priority.STAT ? 'danger' : 'warning'} minimal>
      {priority}
    </Tag>
  );
}

/** The columns of the worklist: how urgent an order is, how long it waits, and the order. */
export const worklistColumns: readonly GridColumn<OrderRow>[] = [
  {
    id: 'priority',
    title: 'Priority',
    width: 122,
    rigid: true,
    cell: renderPriority,
    sort: 'priority',
    filter: 'priority',
    filterChoices: Object.values(Priority).map((value) => ({ value, label: value })),
    card: 'aside',
  },
  {
    id: 'age',
    title: 'Age',
    description: 'Time since the lab received the order',
    width: 92,
    rigid: true,
    cell: (row) => (
      <span data-tip={`Received ${formatDateTime(row.orderDate)}`}>
        {formatTimeSince(row.orderDate)}
      </span>
    ),
    sort: 'orderDate',
    card: 'aside',
  },
  ...orderColumns.filter(({ id }) => !LEFT_OUT.includes(id)),
];
