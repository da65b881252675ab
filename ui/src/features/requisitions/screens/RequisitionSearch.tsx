import { useState } from 'react';

import { usePermissions } from '../../../api';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { RequisitionStatusTag } from '../../../components/StatusTag';
import { useScreen } from '../../../components/useMedia';
import { useOpenPath } from '../../../components/useOpenPath';
import { formatDate } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { formatRoomAndBed } from '../../../lib/place';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { GridColumn } from '../../../components/grid/types';
import {
  DollarIcon,
  DrawIcon,
  DuplicateIcon,
  EnvelopeIcon,
  InboxIcon,
  LabelIcon,
  PhoneForwardIcon,
  PrintIcon,
  ThListIcon,
} from '../../../components/icons';
import {
  messages,
  RequisitionStatus,
  RequisitionStatusLabels,
  SignatureFilter,
  type Act,
} from '../../../contract';
import { AllTestCodes, TestCodes } from '../../catalog/components/TestCodes';
import { PrintLabelDialog } from '../../labels/PrintLabelDialog';
import { REQUISITION_FORMS, REQUISITION_LOG, useReports } from '../../reports/useReports';
import { buildNewRequisitionAction } from '../../search/newRequisition';
import { RecordFilters } from '../../search/RecordFilters';
import { SearchEnd } from '../../search/SearchEnd';
import { useRoleColumns } from '../../search/useRoleColumns';
import { useRecordSearch, type SearchDefinition } from '../../search/useRecordSearch';
import { SendFormsDialog } from '../../transmissions/components/SendFormsDialog';
import { LIST_PATH, type RequisitionRow } from '../api';
import { ReceiveDialog } from '../components/search/ReceiveDialog';
import { RecentRequisitions } from '../components/search/RecentRequisitions';
import { ScanBox } from '../components/search/ScanBox';
import {
  describeOwnFilters,
  isSignatureFilterSet,
  readOwnFilters,
  SignatureFilterChip,
  StatusFilter,
  type OwnFilters,
} from '../components/search/ownFilters';
import { SignDialog } from '../components/signing/SignDialog';
import { nameTarget } from '../signing';
import { SignedMark } from '../components/signing/SignatureView';
import { UpdateBillToDialog } from '../components/search/UpdateBillToDialog';
import { useReceiving } from '../components/search/useReceiving';

const nameRow = (row: RequisitionRow) =>
  nameTarget(row, row.code, { lastName: row.patientLastName, firstName: row.patientFirstName });

const searchDefinition: SearchDefinition<RequisitionRow, OwnFilters> = {
  name: 'requisitions',
  path: LIST_PATH,
  countsPath: '/api/v2/requisitions/status-counts',
  live: { kind: 'requisition', path: '/api/v2/requisitions/ids' },
  ownDefaults: { status: String(RequisitionStatus.PENDING), signature: SignatureFilter.ALL },
  toOwnQuery: ({ status, signature }) => ({ status, signature }),
  describeOwn: describeOwnFilters,
  readOwn: readOwnFilters,
  getRowId: (row) => row.id,
};

const statusChoices = [
  RequisitionStatus.PENDING,
  RequisitionStatus.DONE,
  RequisitionStatus.CANCELED,
].map((status) => ({ value: String(status), label: RequisitionStatusLabels[status] ?? '' }));

const columns: readonly GridColumn<RequisitionRow>[] = [
  {
    id: 'code',
    title: 'Requisition Id',
    width: 112,
    cell: (row) => row.code,
    sort: 'code',
    filter: 'code',
    rigid: true,
    card: 'aside',
    dropOrder: 1,
  },
  {
    id: 'collectionDate',
    title: 'Collection Date',
    width: 162,
    cell: (row) => formatDateTime(row.collectionDate),
    sort: 'collectionDate',
    filter: 'collectionDate',
    filterKind: 'date',
    rigid: true,
    dropOrder: 3,
  },
  {
    id: 'lastName',
    title: 'Last name',
    width: 124,
    minWidth: 120,
    cell: (row) => row.patientLastName,
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
    cell: (row) => formatDate(row.patientBirthDate),
    sort: 'patientBirthDate',
    filter: 'patientBirthDate',
    filterKind: 'date',
    rigid: true,
    dropOrder: 2,
  },
  {
    id: 'client',
    title: 'Client',
    width: 150,
    growth: 3,
    cell: (row) => row.clientName,
    sort: 'clientName',
    filter: 'clientName',
    dropOrder: 6,
  },
  {
    id: 'unit',
    title: 'Unit',
    width: 106,
    cell: (row) => row.unit,
    sort: 'unit',
    filter: 'unit',
    dropOrder: 7,
  },
  {
    id: 'room',
    title: 'Room - Bed',
    width: 96,
    cell: (row) => formatRoomAndBed(row.room, row.bed),
    sort: 'roomAndBed',
    filter: 'roomAndBed',
    dropOrder: 8,
  },
  {
    id: 'tests',
    title: 'Tests',
    width: 150,
    cell: (row) => <TestCodes codes={row.testCodes} names={row.tests} />,
    cardCell: (row) => <AllTestCodes codes={row.testCodes} names={row.tests} />,
    sort: 'tests',
    filter: 'tests',
    dropOrder: 4,
  },
  {
    id: 'signed',
    title: 'Signed',
    // 'Not signed' fits into its filter.
    width: 92,
    rigid: true,
    cell: (row) => (row.hasSignature ? <SignedMark requisitionId={row.id} /> : ''),
    sort: 'hasSignature',
    filter: 'hasSignature',
    filterChoices: [
      { value: 'true', label: 'Signed' },
      { value: 'false', label: 'Not signed' },
    ],
    dropOrder: 5,
  },
  {
    id: 'status',
    title: 'Status',
    width: 106,
    cell: (row) => <RequisitionStatusTag status={row.status} />,
    sort: 'status',
    filter: 'status',
    filterChoices: statusChoices,
    card: 'aside',
    rigid: true,
  },
];

type RowAct = Extract<Act, `${string}Requisition`>;
type Kind = 'labels' | 'sign' | 'email' | 'fax' | 'billTo' | 'receive';

const getId = (row: RequisitionRow) => row.id;

/** An open dialog and its rows as they were on screen, whatever happens to the grid behind it. */
interface OpenDialog {
  kind: Kind;
  rows: readonly RequisitionRow[];
}

/** The requisition search (O 2.2). */
export default function RequisitionSearch() {
  const print = useReports();
  const openPath = useOpenPath();
  const isHandheld = useScreen() !== 'desktop';
  const { may, judge } = usePermissions();
  const canReceive = may('receiveRequisition');
  const search = useRecordSearch(searchDefinition);
  const { grid } = search;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const rows = grid.selectedRows;
  const { isReceiving, receiveRows, receiveCode, question } = useReceiving(
    grid.refresh,
    canReceive,
  );

  const ids = rows.map(getId);
  const openDialog = (kind: Kind) => setDialog({ kind, rows });
  const isEmpty = rows.length === 0;
  const selectionState = {
    disabled: isEmpty,
    reason: isEmpty ? messages.NOTHING_SELECTED : undefined,
  };
  /** Returns whether the selected rows allow an act, with the reason of the first that does not. */
  const getActionState = (act: RowAct) => {
    const permissions = rows.map((row) => judge(act, row, { number: row.code.slice(1) }));
    const denied = permissions.find(({ allowed }) => !allowed);
    return denied ? { disabled: true, reason: denied.reason ?? undefined } : selectionState;
  };
  /** Called after the dialog's action succeeded. */
  const closeAndRefresh = () => {
    setDialog(null);
    grid.refresh();
  };
  /** A rejected act leaves the rows selected, so that it can be tried again. */
  const closeAndReload = () => {
    setDialog(null);
    grid.reload();
  };
  const openRow = (row: RequisitionRow) =>
    void openPath(buildMatrix(paths.requisitionForm, { id: row.id }));
  const actions: PageAction[] = [
    {
      label: 'Mark Received',
      icon: <InboxIcon />,
      intent: 'primary',
      hidden: !canReceive,
      ...getActionState('receiveRequisition'),
      loading: isReceiving,
      onClick: () => receiveRows(ids),
    },
    {
      label: 'Receive by Tube',
      icon: <InboxIcon />,
      hidden: !canReceive,
      ...(rows.length === 1
        ? getActionState('receiveRequisition')
        : { disabled: true, reason: messages.SELECT_ONE_REQUISITION }),
      onClick: () => openDialog('receive'),
    },
    {
      label: 'Print Label',
      icon: <LabelIcon />,
      ...getActionState('labelRequisition'),
      onClick: () => openDialog('labels'),
    },
    {
      label: 'Sign Requisitions',
      icon: <DrawIcon />,
      ...getActionState('signRequisition'),
      onClick: () => openDialog('sign'),
    },
    {
      label: 'Email Forms',
      icon: <EnvelopeIcon />,
      ...getActionState('sendRequisition'),
      onClick: () => openDialog('email'),
    },
    {
      label: 'Fax Forms',
      icon: <PhoneForwardIcon />,
      ...getActionState('sendRequisition'),
      onClick: () => openDialog('fax'),
    },
    {
      label: 'Update Bill To',
      icon: <DollarIcon />,
      hidden: !may('changeRequisition'),
      ...getActionState('changeRequisition'),
      onClick: () => openDialog('billTo'),
    },
    {
      label: 'Print Requisitions',
      icon: <PrintIcon />,
      ...selectionState,
      onClick: () => void print(REQUISITION_FORMS, ids),
    },
    {
      label: 'Print Log',
      icon: <ThListIcon />,
      ...selectionState,
      onClick: () => void print(REQUISITION_LOG, ids),
    },
  ];
  if (may('createRequisition')) {
    actions.push({
      label: 'Copy',
      icon: <DuplicateIcon />,
      disabled: rows.length !== 1,
      reason: rows.length === 1 ? undefined : messages.SELECT_ONE_REQUISITION,
      onClick: () => void openPath(buildMatrix(paths.requisitionForm, { copyOf: rows[0]?.id })),
    });
  }

  return (
    <>
      <PageToolbar
        title="Requisition Search"
        actions={[buildNewRequisitionAction(may, openPath), ...(isHandheld ? actions : [])]}
      >
        <RecentRequisitions />
        {canReceive ? <ScanBox onScan={receiveCode} /> : null}
      </PageToolbar>
      <RecordFilters
        label="Requisition search"
        search={search}
        ownFilterCount={isSignatureFilterSet(search.values) ? 1 : 0}
        before={<StatusFilter search={search} />}
      >
        <SignatureFilterChip search={search} />
      </RecordFilters>
      <div className="grid-place">
        <DataGrid
          label="Requisitions"
          grid={grid}
          isOutdated={search.isOutdated}
          columns={useRoleColumns(columns)}
          selectable
          actions={actions}
          end={<SearchEnd search={search} />}
          onOpen={openRow}
          emptyText="No requisitions match this search"
        />
      </div>
      {question}
      {dialog?.kind === 'receive' && dialog.rows[0] ? (
        <ReceiveDialog
          requisition={dialog.rows[0]}
          onClose={() => setDialog(null)}
          onReceived={closeAndRefresh}
        />
      ) : null}
      {dialog?.kind === 'labels' ? (
        <PrintLabelDialog ids={dialog.rows.map(getId)} onClose={() => setDialog(null)} />
      ) : null}
      {dialog?.kind === 'email' || dialog?.kind === 'fax' ? (
        <SendFormsDialog
          kind={dialog.kind === 'fax' ? 'FAX' : 'EMAIL'}
          ids={dialog.rows.map(getId)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog?.kind === 'billTo' ? (
        <UpdateBillToDialog
          rows={dialog.rows}
          onClose={() => setDialog(null)}
          onChanged={closeAndRefresh}
          onStale={closeAndReload}
        />
      ) : null}
      {dialog?.kind === 'sign' ? (
        <SignDialog
          targets={dialog.rows.map(nameRow)}
          onClose={() => setDialog(null)}
          onSigned={closeAndRefresh}
          onStale={closeAndReload}
        />
      ) : null}
    </>
  );
}
