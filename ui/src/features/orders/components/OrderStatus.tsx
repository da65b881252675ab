import { Tag } from '@blueprintjs/core';

import { StatusTag, type StatusColour } from '../../../components/StatusTag';
import { OrderStatus, OrderStatusLabels } from '../../../contract';

const COLOURS: Readonly<Record<number, StatusColour>> = {
  [OrderStatus.CANCELED]: 'black',
  [OrderStatus.NONE]: 'black',
  [OrderStatus.FINAL]: 'green',
  [OrderStatus.PARTIAL]: 'orange',
  [OrderStatus.PARTIALLY_RELEASED]: 'orange',
  [OrderStatus.PRELIMINARY]: 'orange',
  [OrderStatus.PENDING]: 'yellow',
  [OrderStatus.UNRELEASED]: 'yellow',
};

/** R 4, 'Order display status'; anything else shows NONE. */
export function OrderStatusTag({ status }: { status: number }) {
  const colour = COLOURS[status];
  const label = colour ? OrderStatusLabels[status] : undefined;
  return <StatusTag colour={colour ?? 'black'}>{label ?? 'NONE'}</StatusTag>;
}

/** The badge of an order with a critical result. */
export function AlertTag({ alert }: { alert: string | null }) {
  return alert ? (
    <Tag intent="danger" round>
      {alert}
    </Tag>
  ) : null;
}
