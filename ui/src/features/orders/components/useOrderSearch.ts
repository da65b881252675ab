import { useMemo } from 'react';

import { useDelayedSearch, type LeftSearch } from '../../../components/useDelayedSearch';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { today } from '../../../lib/dates';
import { periodErrors } from '../../../lib/period';
import { useGrid, type LeftGrid } from '../../../components/grid/useGrid';
import { limits } from '../../../contract';
import { LIST_PATH, type OrderRow } from '../api';
import type { OrderSearchValues } from './OrderFilters';

const LIVE = { kind: 'order', path: '/api/v2/orders/ids' };

/** R 5: empty dates become today. */
const withDates = (values: OrderSearchValues): OrderSearchValues => ({
  ...values,
  startDate: values.startDate || today(),
  endDate: values.endDate || today(),
});

const isSearchable = ({ startDate, endDate }: OrderSearchValues) =>
  !periodErrors(startDate, endDate).invalid;

/** The filters and the grid of an order search; `name` keeps the grids' preferences apart. */
export function useOrderSearch(name: string, status: string, firstDay = today) {
  const defaults = (): OrderSearchValues => ({
    startDate: firstDay(),
    endDate: today(),
    client: null,
    unit: null,
    patient: null,
    status,
    alerts: false,
  });
  const search = useDelayedSearch(
    defaults,
    limits.ORDER_FILTER_DELAY_MS,
    withDates,
    isSearchable,
    useHistoryMemory<LeftSearch<OrderSearchValues>>(`${name}-search`),
  );
  const { applied } = search;
  const filters = useMemo(
    () =>
      applied && {
        startDate: applied.startDate,
        endDate: applied.endDate,
        client: applied.client?.id,
        unit: applied.unit?.id,
        patient: applied.patient?.id,
        status: applied.status,
        criticalResults: applied.alerts ? true : null,
      },
    [applied],
  );
  const grid = useGrid<OrderRow>({
    name,
    path: LIST_PATH,
    filters,
    defaultSort: [{ column: 'id', descending: true }],
    rowId: (row) => row.id,
    waiting: search.waiting,
    run: search.run,
    live: LIVE,
    memory: useHistoryMemory<LeftGrid>(`${name}-grid`),
  });
  return { search, grid };
}
