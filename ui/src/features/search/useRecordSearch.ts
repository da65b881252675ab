import { useMemo } from 'react';

import type { Query } from '../../api';
import { useGrid, type Grid, type LeftGrid } from '../../components/grid/useGrid';
import type { LiveRows } from '../../components/grid/useLiveRows';
import { useDelayedSearch, type LeftSearch } from '../../components/useDelayedSearch';
import { useHistoryMemory } from '../../components/useHistoryMemory';
import { today } from '../../lib/dates';
import { periodErrors } from '../../lib/period';
import type { ClientRow, UnitRow } from '../clients/api';
import type { PatientMatch } from '../patients/api';

/** What every record is searched by: the days, the place and the patient. */
export interface RecordFilterValues {
  startDate: string;
  endDate: string;
  client: ClientRow | null;
  unit: UnitRow | null;
  patient: PatientMatch | null;
}

/** A list of records with its filters, declared once beside its screen. */
export interface RecordSearch<Row, Own extends object> {
  /** Keeps the grid's preferences and what Back finds apart from those of others, `[a-z0-9-]`. */
  name: string;
  path: string;
  live: LiveRows;
  /** How long after Search it is applied. */
  delayMs: number;
  /** The first day at the beginning and after Clear; by default today. */
  firstDay?: () => string;
  /** The filters of this list alone, as they begin, and what they are on the wire. */
  own: Own;
  ownQuery: (own: Own) => Query;
  rowId: (row: Row) => number;
}

export interface SearchOfRecords<Row, Own extends object> {
  values: RecordFilterValues & Own;
  change: (change: Partial<RecordFilterValues & Own>) => void;
  submit: () => boolean;
  clear: () => void;
  grid: Grid<Row>;
}

/** R 5, O 2.2: empty days become today. */
const withDays = <Values extends RecordFilterValues>(values: Values): Values => ({
  ...values,
  startDate: values.startDate || today(),
  endDate: values.endDate || today(),
});

const isSearchable = ({ startDate, endDate }: RecordFilterValues) =>
  !periodErrors(startDate, endDate).invalid;

const NEWEST_FIRST = [{ column: 'id', descending: true }];

/** The filters and the grid of a search screen; Back finds both as they were left. */
export function useRecordSearch<Row, Own extends object>(
  declared: RecordSearch<Row, Own>,
): SearchOfRecords<Row, Own> {
  const { name, path, live, firstDay = today, own, ownQuery, rowId } = declared;
  const defaults = (): RecordFilterValues & Own => ({
    startDate: firstDay(),
    endDate: today(),
    client: null,
    unit: null,
    patient: null,
    ...own,
  });
  const search = useDelayedSearch(
    defaults,
    declared.delayMs,
    withDays<RecordFilterValues & Own>,
    isSearchable,
    useHistoryMemory<LeftSearch<RecordFilterValues & Own>>(`${name}-search`),
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
        ...ownQuery(applied),
      },
    [applied, ownQuery],
  );
  const grid = useGrid<Row>({
    name,
    path,
    filters,
    defaultSort: NEWEST_FIRST,
    rowId,
    waiting: search.waiting,
    run: search.run,
    live,
    memory: useHistoryMemory<LeftGrid>(`${name}-grid`),
  });
  const { values, change, submit, clear } = search;
  return { values, change, submit, clear, grid };
}
