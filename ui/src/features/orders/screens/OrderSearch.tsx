import { PageToolbar } from '../../../components/PageToolbar';
import { toasts } from '../../../components/toasts';
import { useOpenPath } from '../../../components/useOpenPath';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import { PrintIcon } from '../../../components/icons';
import { OrderStatus } from '../../../contract';
import { useDevice } from '../../../device';
import { paths } from '../../../lib/paths';
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
  return (
    <>
      <PageToolbar
        title="Order Search"
        actions={[
          {
            label: 'Print Results',
            icon: <PrintIcon />,
            disabled: ids.length === 0,
            onClick: () => {
              device.openDocument(buildResultsDocument(ids)).catch(toasts.failure);
            },
          },
        ]}
      />
      <WaitingStrip />
      <OrderFilters label="Order search" search={search} />
      <div className="grid-place">
        <DataGrid
          label="Orders"
          grid={grid}
          columns={orderColumns}
          selectable
          onOpen={(row) => void openPath(buildMatrix(paths.orderResults, { id: row.id }))}
          emptyText="No orders match this search"
        />
      </div>
    </>
  );
}
