import { usePermissions } from '../../../api';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { toasts } from '../../../components/toasts';
import { useOpenPath } from '../../../components/useOpenPath';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import { PrintIcon } from '../../../components/icons';
import { useScreen } from '../../../components/useMedia';
import { messages, OrderStatus } from '../../../contract';
import { useDevice } from '../../../device';
import { paths } from '../../../lib/paths';
import { buildNewRequisitionAction } from '../../search/newRequisition';
import { SearchEnd } from '../../search/SearchEnd';
import { useRoleColumns } from '../../search/useRoleColumns';
import { useRecordSearch } from '../../search/useRecordSearch';
import { WaitingStrip } from '../../waiting/components/WaitingStrip';
import { buildResultsDocument } from '../api';
import { orderColumns } from '../components/orderColumns';
import { OrderFilters, defineOrderSearch } from '../components/OrderFilters';

const searchDefinition = defineOrderSearch('orders', String(OrderStatus.ALL));

/** The laboratory results search (R 2.1), the portal's home screen. */
export default function OrderSearch() {
  const device = useDevice();
  const openPath = useOpenPath();
  const search = useRecordSearch(searchDefinition);
  const { grid } = search;
  const ids = grid.selectedRows.map((row) => row.id);
  const { may } = usePermissions();
  const isHandheld = useScreen() !== 'desktop';
  const rowActions: PageAction[] = [
    {
      label: 'Print Results',
      icon: <PrintIcon />,
      disabled: ids.length === 0,
      reason: ids.length === 0 ? messages.NOTHING_SELECTED : undefined,
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
          columns={useRoleColumns(orderColumns)}
          selectable
          actions={rowActions}
          end={<SearchEnd search={search} />}
          onOpen={(row) => void openPath(buildMatrix(paths.orderResults, { id: row.id }))}
          emptyText="No orders match this search"
        />
      </div>
    </>
  );
}
