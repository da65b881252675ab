import { useState } from 'react';

import { usePermissions } from '../../../api';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { toasts } from '../../../components/toasts';
import { useOpenPath } from '../../../components/useOpenPath';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import {
  DrawIcon,
  PrintIcon,
  TickCircleIcon,
  TimelineLineChartIcon,
} from '../../../components/icons';
import { useScreen } from '../../../components/useMedia';
import { messages, OrderStatus, type Act } from '../../../contract';
import { useDevice } from '../../../device';
import { paths } from '../../../lib/paths';
import { buildNewRequisitionAction } from '../../search/newRequisition';
import { SearchEnd } from '../../search/SearchEnd';
import { useRoleColumns } from '../../search/useRoleColumns';
import { useRecordSearch } from '../../search/useRecordSearch';
import { WaitingStrip } from '../../waiting/components/WaitingStrip';
import { SignDialog } from '../../requisitions/components/signing/SignDialog';
import { useAcknowledging } from '../acknowledging';
import { buildResultsDocument, type OrderRow } from '../api';
import { OrderFilters, defineOrderSearch } from '../components/OrderFilters';
import { useOrderColumns } from '../components/resultColumns';
import { useMissingInfo } from '../components/useMissingInfo';
import { orderSigning } from '../signing';

type OrderAct = Extract<Act, `${string}Order`>;

const searchDefinition = defineOrderSearch('orders', String(OrderStatus.ALL));

/** The laboratory results search (R 2.1), the portal's home screen. */
export default function OrderSearch() {
  const device = useDevice();
  const openPath = useOpenPath();
  const search = useRecordSearch(searchDefinition);
  const { grid } = search;
  const ids = grid.selectedRows.map((row) => row.id);
  const { may, judge } = usePermissions();
  const [signedRows, setSignedRows] = useState<readonly OrderRow[]>([]);
  const isHandheld = useScreen() !== 'desktop';
  const isEmpty = ids.length === 0;
  const selectionState = {
    disabled: isEmpty,
    reason: isEmpty ? messages.NOTHING_SELECTED : undefined,
  };
  /** Returns whether the selected rows allow an act, with the reason of the first that does not. */
  const getActionState = (act: OrderAct) => {
    const denied = grid.selectedRows
      .map((row) => judge(act, row, { number: row.codeValue.slice(1) }))
      .find(({ allowed }) => !allowed);
    return denied ? { disabled: true, reason: denied.reason ?? undefined } : selectionState;
  };
  const acknowledging = useAcknowledging({ onDone: grid.refresh, onStale: grid.refresh });
  const closeAndRefresh = () => {
    setSignedRows([]);
    grid.refresh();
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
      loading: acknowledging.isRunning,
      onClick: () => acknowledging.run(grid.selectedRows),
    },
    {
      label: 'Sign',
      icon: <DrawIcon />,
      ...getActionState('signOrder'),
      onClick: () => setSignedRows(grid.selectedRows),
    },
    missingInfo.action,
    {
      label: 'Cumulative Results',
      icon: <TimelineLineChartIcon />,
      // A patient's results begin at one order.
      disabled: ids.length !== 1,
      reason: ids.length === 1 ? undefined : messages.SELECT_ONE_ORDER,
      onClick: () => {
        const [id] = ids;
        if (id !== undefined) void openPath(buildMatrix(paths.cumulativeResults, { id }));
      },
    },
    {
      label: 'Print Results',
      icon: <PrintIcon />,
      ...selectionState,
      onClick: () => {
        device.openDocument(buildResultsDocument(ids)).catch(toasts.failure);
      },
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
      {signedRows.length > 0 ? (
        <SignDialog
          signing={orderSigning}
          targets={signedRows}
          onClose={() => setSignedRows([])}
          onSigned={closeAndRefresh}
          onStale={closeAndRefresh}
        />
      ) : null}
    </>
  );
}
