import { useNavigate } from 'react-router';

import { PageToolbar } from '../../../components/PageToolbar';
import { parseIsoDate, today, toIsoDate } from '../../../lib/dates';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import { paths } from '../../../lib/paths';
import { useRecordSearch } from '../../search/useRecordSearch';
import { orderColumns } from '../components/orderColumns';
import { OrderFilters, defineOrderSearch, statusMasks } from '../components/OrderFilters';

const WORKLIST_DAYS = 14;

function getTwoWeeksAgo(): string {
  const day = parseIsoDate(today()) ?? new Date();
  day.setDate(day.getDate() - WORKLIST_DAYS);
  return toIsoDate(day);
}

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
          columns={orderColumns}
          onOpen={(row) => void navigate(buildMatrix(paths.resultEntryOrder, { id: row.id }))}
          emptyText="No orders are waiting for results in this period"
        />
      </div>
    </>
  );
}
