import { useNavigate } from 'react-router';

import { PageToolbar } from '../../../components/PageToolbar';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import { limits } from '../../../contract';
import { paths } from '../../../lib/paths';
import { getDaysAgo } from '../../../lib/period';
import { SearchEnd } from '../../search/SearchEnd';
import { useRoleColumns } from '../../search/useRoleColumns';
import { useRecordSearch } from '../../search/useRecordSearch';
import { orderColumns } from '../../orders/components/orderColumns';
import { OrderFilters, defineOrderSearch, statusMasks } from '../../orders/components/OrderFilters';

const getTwoWeeksAgo = () => getDaysAgo(limits.WAITING_AT_LAB_DAYS);

const searchDefinition = defineOrderSearch('worklist', statusMasks[0]?.value ?? '', getTwoWeeksAgo);

/** The lab's worklist: received orders without results (DECISIONS, Result Entry). */
export default function ResultWorklist() {
  const navigate = useNavigate();
  const search = useRecordSearch(searchDefinition);
  const { grid } = search;
  return (
    <>
      <PageToolbar title="Result Entry" />
      <OrderFilters label="Worklist" search={search} />
      <div className="grid-place">
        <DataGrid
          label="Worklist"
          grid={grid}
          isOutdated={search.isOutdated}
          columns={useRoleColumns(orderColumns)}
          onOpen={(row) => void navigate(buildMatrix(paths.resultEntryOrder, { id: row.id }))}
          end={<SearchEnd search={search} />}
          emptyText="No orders are waiting for results in this period"
        />
      </div>
    </>
  );
}
