import type { ReactNode } from 'react';

import type { GridColumn } from '../../../components/grid/types';
import type { OrderStatus } from '../../../contract';
import { formatDate } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { OrderStatusTag } from '../../orders/components/OrderStatus';
import type { SearchRow } from '../api';
import type { SearchColumn } from '../conditions';

interface ColumnWidth {
  width: number;
  rigid?: boolean;
  growth?: number;
}

const TEXT: ColumnWidth = { width: 124 };
const COLUMN_WIDTHS: Readonly<Record<string, ColumnWidth>> = {
  moment: { width: 162, rigid: true },
  date: { width: 98, rigid: true },
  boolean: { width: 104, rigid: true },
  number: { width: 80, rigid: true },
};
const LONG: ColumnWidth = { width: 160, growth: 2 };
const OWN_WIDTHS: Readonly<Record<string, ColumnWidth>> = {
  code: { width: 104, rigid: true },
  requisitionCode: { width: 108, rigid: true },
  status: { width: 118, rigid: true },
  client: LONG,
  physician: LONG,
  orderedTest: LONG,
  orderedTestName: { ...LONG, width: 200 },
  organism: LONG,
  susceptibility: { ...LONG, width: 200 },
};

function showValue({ name, kind }: SearchColumn, value: unknown): ReactNode {
  if (value === null || value === undefined) return '';
  if (name === 'status') return <OrderStatusTag status={value as OrderStatus} />;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : '';
  const text = typeof value === 'number' ? String(value) : (value as string);
  if (kind === 'moment') return formatDateTime(text);
  return kind === 'date' ? formatDate(text) : text;
}

/** Builds the grid's columns from those that the search shows. */
export const buildResultColumns = (
  columns: readonly SearchColumn[],
): readonly GridColumn<SearchRow>[] =>
  columns.map((column) => ({
    id: column.name,
    title: column.label,
    ...(OWN_WIDTHS[column.name] ?? COLUMN_WIDTHS[column.kind ?? ''] ?? TEXT),
    cell: (row) => showValue(column, row[column.name]),
    ...(column.sort === null ? {} : { sort: column.name }),
  }));
