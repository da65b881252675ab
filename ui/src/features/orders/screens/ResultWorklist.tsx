import { useNavigate } from 'react-router';

import { PageToolbar } from '../../../components/PageToolbar';
import { isoOf } from '../../../lib/dates';
import { buildMatrix } from '../../../lib/matrix';
import { DataGrid } from '../../../components/grid/DataGrid';
import { paths } from '../../../lib/paths';
import { orderColumns } from '../components/orderColumns';
import { OrderFilters, statusMasks } from '../components/OrderFilters';
import { useOrderSearch } from '../components/useOrderSearch';

const WORKLIST_DAYS = 14;

function twoWeeksAgo(): string {
  const day = new Date();
  day.setDate(day.getDate() - WORKLIST_DAYS);
  return isoOf(day);
}

/** The lab's worklist: received orders that wait for results (DECISIONS, Result Entry). */
export default function ResultWorklist() {
  const navigate = useNavigate();
  const pending = statusMasks[0]?.value ?? '';
  const { search, grid } = useOrderSearch('worklist', pending, twoWeeksAgo);
  return (
    <>
      <PageToolbar title="Result Entry" />
      <OrderFilters
        label="Worklist"
        values={search.values}
        onChange={search.change}
        onSubmit={search.submit}
        onClear={search.clear}
      />
      <div className="grid-place">
        <DataGrid
          label="Worklist"
          grid={grid}
          columns={orderColumns}
          onOpen={(row) => void navigate(buildMatrix(paths.resultEntryOrder, { id: row.id }))}
          emptyText="No orders wait for results in these days"
        />
      </div>
    </>
  );
}
