import { formatDate, formatDateTime } from '../../../lib/dates';
import type { GridColumn } from '../../../components/grid/types';
import { OrderStatus, OrderStatusLabels } from '../../../contract';
import { TestCodes } from '../../catalog/components/TestCodes';
import type { OrderRow } from '../api';
import { AlertTag, OrderStatusTag } from './OrderStatus';

const formatRoomAndBed = ({ patientRoom, patientBed }: OrderRow): string =>
  [patientRoom, patientBed].filter(Boolean).join(' - ');

/** Several statuses are shown under one name (R 4); the box offers each name once. */
const statusChoices = ['PENDING', 'PARTIAL', 'FINAL', 'CANCELED'].map((label) => ({
  value: Object.values(OrderStatus)
    .filter((status) => OrderStatusLabels[status] === label)
    .join(),
  label,
}));

/** The columns of the order grids. */
export const orderColumns: readonly GridColumn<OrderRow>[] = [
  {
    id: 'code',
    title: 'Order Id',
    width: 112,
    cell: (row) => row.codeValue,
    sort: 'codeValue',
    filter: 'codeValue',
    numeric: true,
    card: 'aside',
  },
  {
    id: 'collectionDate',
    title: 'Collection Date',
    width: 132,
    cell: (row) => formatDateTime(row.orderCollectionDate),
    sort: 'orderCollectionDate',
    filter: 'orderCollectionDate',
    filterKind: 'date',
    numeric: true,
  },
  {
    id: 'lastName',
    title: 'Last name',
    width: 120,
    cell: (row) => row.patientLastName,
    sort: 'patientLastName',
    filter: 'patientLastName',
    card: 'title',
  },
  {
    id: 'firstName',
    title: 'First name',
    width: 110,
    cell: (row) => row.patientFirstName,
    sort: 'patientFirstName',
    filter: 'patientFirstName',
    card: 'title',
  },
  {
    id: 'birthDate',
    title: 'Birthdate',
    width: 98,
    cell: (row) => formatDate(row.patientDoB),
    sort: 'patientDoB',
    filter: 'patientDoB',
    filterKind: 'date',
    numeric: true,
  },
  {
    id: 'client',
    title: 'Client',
    width: 150,
    cell: (row) => row.client,
    sort: 'client',
    filter: 'client',
  },
  {
    id: 'unit',
    title: 'Unit',
    width: 90,
    cell: (row) => row.unit,
    sort: 'unit',
    filter: 'unit',
  },
  {
    id: 'room',
    title: 'Room - Bed',
    width: 92,
    cell: formatRoomAndBed,
    sort: 'roomAndBed',
    filter: 'roomAndBed',
  },
  {
    id: 'tests',
    title: 'Tests',
    width: 170,
    cell: (row) => <TestCodes codes={row.testCodes} names={row.testNames} />,
    sort: 'testNames',
    filter: 'testNames',
  },
  {
    id: 'alert',
    title: 'Alert',
    width: 100,
    cell: (row) => <AlertTag alert={row.alert} />,
    sort: 'hasAlert',
    filter: 'hasAlert',
    filterChoices: [
      { value: 'true', label: 'Alert' },
      { value: 'false', label: 'No alert' },
    ],
    card: 'aside',
  },
  {
    id: 'status',
    title: 'Status',
    width: 104,
    cell: (row) => <OrderStatusTag status={row.status} />,
    sort: 'status',
    filter: 'status',
    filterChoices: statusChoices,
    card: 'aside',
  },
];
