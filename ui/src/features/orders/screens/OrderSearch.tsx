import { useState } from 'react';

import { useHasRole, usePermissions } from '../../../api';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { useOpenPath } from '../../../components/useOpenPath';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import {
  DollarIcon,
  DrawIcon,
  EnvelopeIcon,
  PhoneForwardIcon,
  PrintIcon,
  ThListIcon,
  TickCircleIcon,
  TimelineLineChartIcon,
  UnlockIcon,
} from '../../../components/icons';
import { useScreen } from '../../../components/useMedia';
import { limits, messages, OrderStatus, Role, type Act } from '../../../contract';
import { paths } from '../../../lib/paths';
import { getDaysAgo } from '../../../lib/period';
import { usePrinting } from '../../reports/usePrinting';
import { ORDER_LOG, ORDER_RESULTS } from '../../reports/useReports';
import { buildNewRequisitionAction } from '../../search/newRequisition';
import { SearchEnd } from '../../search/SearchEnd';
import { useRoleColumns } from '../../search/useRoleColumns';
import { useRecordSearch } from '../../search/useRecordSearch';
import { WaitingStrip } from '../../waiting/components/WaitingStrip';
import { UpdateBillToDialog } from '../../requisitions/components/search/UpdateBillToDialog';
import { SignDialog, UnsignDialog } from '../../requisitions/components/signing/SignDialog';
import { nameTarget } from '../../requisitions/signing';
import { SendFormsDialog } from '../../transmissions/components/SendFormsDialog';
import { useAcknowledging } from '../acknowledging';
import { changeOrdersBillTo, type OrderRow } from '../api';
import { OrderFilters, defineOrderSearch } from '../components/OrderFilters';
import { useOrderColumns } from '../components/resultColumns';
import { useMissingInfo } from '../components/useMissingInfo';
import { orderSigning } from '../signing';

type OrderAct = Extract<Act, `${string}Order`>;

/** An open dialog and its rows as they were on screen, whatever happens to the grid behind it. */
interface OpenDialog {
  kind: 'sign' | 'unsign' | 'email' | 'fax' | 'billTo';
  rows: readonly OrderRow[];
}

const nameRow = (row: OrderRow) =>
  nameTarget(row, row.codeValue, {
    lastName: row.patientLastName,
    firstName: row.patientFirstName,
  });

const ALL = String(OrderStatus.ALL);
const searchDefinition = defineOrderSearch('orders', ALL);
/** Patients look for results that are rarely from today (ADR 84). */
const patientSearchDefinition = defineOrderSearch('orders', ALL, () =>
  getDaysAgo(limits.PATIENT_SEARCH_DAYS),
);

/** The laboratory results search (R 2.1), the portal's home screen. */
export default function OrderSearch() {
  const openPath = useOpenPath();
  const isPatient = useHasRole(Role.PATIENT);
  const search = useRecordSearch(isPatient ? patientSearchDefinition : searchDefinition);
  const { grid } = search;
  const { print, dialog: printDialog } = usePrinting(grid);
  const ids = grid.selectedRows.map((row) => row.id);
  const { may, judge } = usePermissions();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [firstRow, ...otherRows] = dialog?.rows ?? [];
  const isHandheld = useScreen() !== 'desktop';
  const isEmpty = ids.length === 0;
  const selectionState = {
    disabled: isEmpty,
    reason: isEmpty ? messages.NOTHING_SELECTED : undefined,
  };
  /** Returns whether the selected rows allow an act, with the reason of the first that does not. */
  const getActionState = (act: OrderAct) => {
    const denial = grid.selectedRows
      .map((row) => judge(act, row, { number: row.codeValue.slice(1) }))
      .find(({ allowed }) => !allowed);
    return denial ? { disabled: true, reason: denial.reason ?? undefined } : selectionState;
  };
  const acknowledgeWrite = useAcknowledging({ onDone: grid.refresh, onStale: grid.reload });
  const openDialog = (kind: OpenDialog['kind']) => setDialog({ kind, rows: grid.selectedRows });
  const close = () => setDialog(null);
  const closeAndRefresh = () => {
    close();
    grid.refresh();
  };
  /** A rejected act leaves the rows selected, so that it can be tried again. */
  const closeAndReload = () => {
    close();
    grid.reload();
  };
  const missingInfo = useMissingInfo(
    ids[0] ?? null,
    {
      hidden: !may('completeOrder'),
      ...(ids.length === 1
        ? getActionState('completeOrder')
        : { disabled: true, reason: messages.SELECT_ONE_ORDER }),
    },
    grid.refresh,
  );
  const rowActions: PageAction[] = [
    {
      label: 'Acknowledge',
      icon: <TickCircleIcon />,
      intent: 'primary',
      hidden: !may('acknowledgeOrder'),
      ...getActionState('acknowledgeOrder'),
      loading: acknowledgeWrite.isRunning,
      onClick: () => acknowledgeWrite.run(grid.selectedRows),
    },
    !isEmpty && grid.selectedRows.every(({ hasSignature }) => hasSignature)
      ? {
          label: 'Unsign',
          slot: 'signing',
          icon: <UnlockIcon />,
          ...getActionState('unsignOrder'),
          onClick: () => openDialog('unsign'),
        }
      : {
          label: 'Sign',
          slot: 'signing',
          icon: <DrawIcon />,
          ...getActionState('signOrder'),
          onClick: () => openDialog('sign'),
        },
    missingInfo.action,
    {
      label: 'Cumulative Results',
      icon: <TimelineLineChartIcon />,
      // Cumulative results start from one order of a patient.
      disabled: ids.length !== 1,
      reason: ids.length === 1 ? undefined : messages.SELECT_ONE_ORDER,
      onClick: () => {
        const [id] = ids;
        if (id !== undefined) void openPath(buildMatrix(paths.cumulativeResults, { id }));
      },
    },
    {
      label: 'Email Results',
      icon: <EnvelopeIcon />,
      ...getActionState('sendOrder'),
      onClick: () => openDialog('email'),
    },
    {
      label: 'Fax Results',
      icon: <PhoneForwardIcon />,
      ...getActionState('sendOrder'),
      onClick: () => openDialog('fax'),
    },
    {
      label: 'Print Results',
      icon: <PrintIcon />,
      ...selectionState,
      onClick: () => print('Print Results', ORDER_RESULTS),
    },
    {
      label: 'Print Log',
      icon: <ThListIcon />,
      ...selectionState,
      onClick: () => print('Print Log', ORDER_LOG),
    },
    {
      label: 'Update Bill To',
      icon: <DollarIcon />,
      hidden: !may('billOrder'),
      ...getActionState('billOrder'),
      onClick: () => openDialog('billTo'),
    },
  ];
  return (
    <>
      <PageToolbar
        title="Order Search"
        actions={[buildNewRequisitionAction(may, openPath), ...(isHandheld ? rowActions : [])]}
      />
      <WaitingStrip />
      <OrderFilters label="Order search" search={search} />
      <div className="grid-place">
        <DataGrid
          label="Orders"
          grid={grid}
          isOutdated={search.isOutdated}
          columns={useRoleColumns(useOrderColumns())}
          selectable
          actions={rowActions}
          end={<SearchEnd search={search} />}
          onOpen={(row) => void openPath(buildMatrix(paths.orderResults, { id: row.id }))}
          emptyText="No orders match this search"
        />
      </div>
      {missingInfo.dialog}
      {printDialog}
      {dialog?.kind === 'sign' ? (
        <SignDialog
          signing={orderSigning}
          targets={dialog.rows.map(nameRow)}
          onClose={close}
          onSigned={closeAndRefresh}
          onStale={closeAndReload}
        />
      ) : null}
      {dialog?.kind === 'unsign' && firstRow !== undefined ? (
        <UnsignDialog
          signing={orderSigning}
          targets={[nameRow(firstRow), ...otherRows.map(nameRow)]}
          onClose={close}
          onUnsigned={closeAndRefresh}
          onStale={closeAndReload}
        />
      ) : null}
      {dialog?.kind === 'email' || dialog?.kind === 'fax' ? (
        <SendFormsDialog
          content="results"
          kind={dialog.kind === 'fax' ? 'FAX' : 'EMAIL'}
          ids={dialog.rows.map((row) => row.id)}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'billTo' ? (
        <UpdateBillToDialog
          rows={dialog.rows}
          requisitionIds={dialog.rows.map(({ requisitionId }) => requisitionId)}
          change={changeOrdersBillTo}
          onClose={close}
          onChanged={closeAndRefresh}
          onStale={closeAndReload}
        />
      ) : null}
    </>
  );
}
