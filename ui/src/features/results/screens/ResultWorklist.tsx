import { useState } from 'react';
import { useNavigate } from 'react-router';

import { ApiError, useHasRole, usePermissions } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { FilterChip, ToggleChip } from '../../../components/filters/FilterChip';
import { DataGrid } from '../../../components/grid/DataGrid';
import { TickCircleIcon } from '../../../components/icons';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { toasts } from '../../../components/toasts';
import { useScreen } from '../../../components/useMedia';
import { useWrite } from '../../../components/useWrite';
import { messages, Role, say } from '../../../contract';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { catalogTestsQuery, isExactTest } from '../../catalog/api';
import type { OrderRow } from '../../orders/api';
import { OrderFilters } from '../../orders/components/OrderFilters';
import { SearchEnd } from '../../search/SearchEnd';
import { useRecordSearch } from '../../search/useRecordSearch';
import { useRoleColumns } from '../../search/useRoleColumns';
import { clientWorklistColumns, worklistColumns } from '../components/worklistColumns';
import { describeRemaining } from '../components/TestState';
import { ALL_ENTERED, releaseOrders, worklistSearch } from '../worklist';

/** The lab's worklist: received orders without results (DECISIONS, Result Entry). */
export default function ResultWorklist() {
  const navigate = useNavigate();
  const search = useRecordSearch(worklistSearch);
  const { grid, values, apply } = search;
  const { openTest, allEntered } = values;
  const { actions, dialog } = useWorklistActions(grid.selectedRows, grid.refresh);
  const isHandheld = useScreen() !== 'desktop';
  const isLab = useHasRole(Role.LABORATORY, Role.SUPERUSER);
  return (
    <>
      <PageToolbar title="Result Entry" actions={isHandheld ? actions : []} />
      <OrderFilters
        label="Worklist"
        isForEntry
        search={search}
        ownFilterCount={[openTest, allEntered].filter(Boolean).length}
      >
        <FilterChip
          label="Test"
          value={openTest?.code ?? 'Any'}
          isSet={openTest !== null}
          closesOnChange
          opensList
        >
          <AsyncPicker
            label="Test"
            value={openTest}
            onChange={(next) => apply({ openTest: next })}
            query={catalogTestsQuery}
            isExact={isExactTest}
            getItemKey={(test) => test.id}
            getItemText={(test) => `${test.code} · ${test.name}`}
            listWidth={360}
          />
        </FilterChip>
        <ToggleChip
          label={ALL_ENTERED}
          checked={allEntered}
          onChange={(checked) => apply({ allEntered: checked })}
        />
      </OrderFilters>
      <div className="grid-place">
        <DataGrid
          label="Worklist"
          grid={grid}
          isOutdated={search.isOutdated}
          columns={useRoleColumns(isLab ? worklistColumns : clientWorklistColumns)}
          selectable
          actions={actions}
          onOpen={(row) => void navigate(buildMatrix(paths.resultEntryOrder, { id: row.id }))}
          end={<SearchEnd search={search} />}
          emptyText="No orders are waiting for results in this period"
        />
      </div>
      {dialog}
    </>
  );
}

/** What the release of these orders does, and which of them keep unreleased results. */
function describeRelease(rows: readonly OrderRow[]): string {
  const codes = rows
    .filter(({ entry }) => entry !== null && entry.separate > 0)
    .map(({ codeValue }) => codeValue);
  return [
    say(messages.CONFIRM_RELEASE_ORDERS, { count: rows.length }),
    ...(codes.length > 0
      ? [say(messages.CONFIRM_RELEASE_SEPARATE, { orders: codes.join(', ') })]
      : []),
  ].join(' ');
}

/** Returns the action that releases the entered results of the selected orders. */
function useWorklistActions(rows: readonly OrderRow[], refresh: () => void) {
  const [confirmedRows, setConfirmedRows] = useState<readonly OrderRow[]>([]);
  const { may, judge } = usePermissions();
  const releaseWrite = useWrite({
    send: releaseOrders,
    onDone: ({ data }, sentOrders) => {
      toasts.success(
        data.length === 1
          ? messages.ORDER_RELEASED
          : say(messages.ORDERS_RELEASED, { count: data.length }),
      );
      const remainingText = describeRemaining(
        data.flatMap(({ id, left: reasons }) =>
          reasons.map(
            (reason) => `${sentOrders.find((row) => row.id === id)?.codeValue ?? id}: ${reason}`,
          ),
        ),
      );
      // The toast stays until it is closed: a list of results takes time to read.
      if (remainingText !== null) toasts.warning(remainingText, 0);
      refresh();
    },
    // If somebody should look at a result, the selection stays as it is.
    onStale: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'order_not_released') refresh();
    },
  });
  const denial = rows
    .map((row) => judge('releaseOrder', row, { number: row.codeValue.slice(1) }))
    .find(({ allowed }) => !allowed);
  const reason = rows.length === 0 ? messages.NOTHING_SELECTED : (denial?.reason ?? undefined);
  const actions: PageAction[] = [
    {
      label: 'Release',
      icon: <TickCircleIcon />,
      intent: 'primary',
      hidden: !may('releaseOrder'),
      disabled: rows.length === 0 || denial !== undefined,
      reason,
      loading: releaseWrite.isRunning,
      onClick: () => setConfirmedRows(rows),
    },
  ];
  const dialog = (
    <ConfirmDialog
      isOpen={confirmedRows.length > 0}
      title="Release results"
      message={describeRelease(confirmedRows)}
      confirmLabel="Release"
      onConfirm={() => {
        setConfirmedRows([]);
        releaseWrite.run(confirmedRows);
      }}
      onClose={() => setConfirmedRows([])}
    />
  );
  return { actions, dialog };
}
