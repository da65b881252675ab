import { formatDate } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { formatRoomAndBed } from '../../../lib/place';
import type { GridColumn } from '../../../components/grid/types';
import { OrderStatus, OrderStatusLabels } from '../../../contract';
import { SignedMark } from '../../requisitions/components/signing/SignatureView';
import { AllTestCodes, TestCodes } from '../../catalog/components/TestCodes';
import type { OrderRow } from '../api';
import { CardBadges, MissingInfoMark, OrderStatusTag, RowBadges } from './OrderStatus';
import { UnreadMark } from './UnreadMark';

/** Several statuses are shown under one name (R 4); the filter lists each name once. */
const statusChoices = ['PENDING', 'PARTIAL', 'FINAL', 'CANCELED'].map((label) => ({
  value: Object.values(OrderStatus)
    .filter((status) => OrderStatusLabels[status] === label)
    .join(),
  label,
}));

/** The columns of the order grids, beginning with those that need attention. */
export const orderColumns: readonly GridColumn<OrderRow>[] = [
  {
    id: 'alert',
    title: 'Alert',
    // Wide enough for three shortened badges. The code still fits beside them in 683 pixels.
    width: 118,
    cell: (row) => <RowBadges row={row} />,
    cardCell: (row) => <CardBadges row={row} />,
    sort: 'hasAlert',
    filter: 'hasAlert',
    filterChoices: [
      { value: 'true', label: 'Alert' },
      { value: 'false', label: 'No alert' },
    ],
    card: 'aside',
    rigid: true,
  },
  {
    id: 'status',
    title: 'Status',
    width: 118,
    cell: (row) => (
      <>
        <OrderStatusTag status={row.status} />
        {row.hasMissingInfo ? <MissingInfoMark /> : null}
      </>
    ),
    sort: 'status',
    filter: 'status',
    filterChoices: statusChoices,
    card: 'aside',
    rigid: true,
  },
  {
    id: 'code',
    title: 'Order Id',
    width: 100,
    cell: (row) => row.codeValue,
    sort: 'codeValue',
    filter: 'codeValue',
    rigid: true,
    card: 'aside',
    dropOrder: 1,
  },
  {
    id: 'collectionDate',
    title: 'Collection Date',
    width: 154,
    cell: (row) => formatDateTime(row.orderCollectionDate),
    sort: 'orderCollectionDate',
    filter: 'orderCollectionDate',
    filterKind: 'date',
    rigid: true,
    dropOrder: 3,
  },
  {
    id: 'lastName',
    title: 'Last name',
    width: 128,
    minWidth: 124,
    cell: (row) => <UnreadMark row={row}>{row.patientLastName}</UnreadMark>,
    sort: 'patientLastName',
    filter: 'patientLastName',
    card: 'title',
  },
  {
    id: 'firstName',
    title: 'First name',
    width: 116,
    minWidth: 112,
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
    rigid: true,
    dropOrder: 2,
  },
  {
    id: 'client',
    title: 'Client',
    width: 150,
    growth: 3,
    cell: (row) => row.client,
    sort: 'client',
    filter: 'client',
    dropOrder: 5,
  },
  {
    id: 'unit',
    title: 'Unit',
    width: 108,
    cell: (row) => row.unit,
    sort: 'unit',
    filter: 'unit',
    dropOrder: 6,
  },
  {
    id: 'room',
    title: 'Room - Bed',
    width: 96,
    cell: (row) => formatRoomAndBed(row.patientRoom, row.patientBed),
    sort: 'roomAndBed',
    filter: 'roomAndBed',
    dropOrder: 7,
  },
  {
    id: 'tests',
    title: 'Tests',
    width: 142,
    cell: (row) => <TestCodes codes={row.testCodes} names={row.testNames} />,
    cardCell: (row) => <AllTestCodes codes={row.testCodes} names={row.testNames} />,
    sort: 'testNames',
    filter: 'testNames',
    dropOrder: 4,
  },
  {
    id: 'signed',
    title: 'Signed',
    // 'Not signed' fits into its filter.
    width: 92,
    rigid: true,
    cell: (row) => (row.hasSignature ? <SignedMark requisitionId={row.requisitionId} /> : ''),
    sort: 'hasSignature',
    filter: 'hasSignature',
    filterChoices: [
      { value: 'true', label: 'Signed' },
      { value: 'false', label: 'Not signed' },
    ],
    dropOrder: 8,
  },
  {
    id: 'acknowledgedBy',
    title: 'Acknowledged By',
    width: 130,
    cell: (row) => row.onlineAckUser ?? '',
    sort: 'acknowledgedBy',
    filter: 'acknowledgedBy',
    dropOrder: 10,
  },
  {
    id: 'acknowledgedAt',
    title: 'Acknowledged On',
    width: 162,
    rigid: true,
    cell: (row) => formatDateTime(row.onlineAckDateTime),
    sort: 'onlineAckDateTime',
    filter: 'onlineAckDateTime',
    filterKind: 'date',
    dropOrder: 9,
  },
];
